const says =
  (pattern: RegExp) =>
  (scope: string): boolean =>
    pattern.test(scope);

/** What scopes speak of, as far as it decides which frameworks concern them. */
export const SUBJECTS = {
  ai: says(
    /\b(?:ai|artificial intelligence|machine[- ]learning|ml|llms?|gpt|models?|chat ?bots?|neural|generative|agents?|assistants?|recommenders?|recommendations?|classifiers?|copilots?|deep learning|algorithms?|automated decisions?|scoring)\b/i,
  ),
  languageModel: says(
    /\b(?:llms?|large language models?|gpt|chat ?bots?|generative|prompts?|rag|copilots?|agents?|assistants?)\b/i,
  ),
  europe: says(
    /\b(?:eu|eea|europe|european|germany|german|france|french|spain|spanish|italy|italian|netherlands|dutch|ireland|irish|poland|austria|belgium|sweden|denmark|finland|portugal|greece|czechia|romania|hungary|luxembourg)\b/i,
  ),
  people: says(
    /\b(?:personal|pii|users?|customers?|employees?|staff|patients?|applicants?|candidates?|citizens?|students?|consumers?|biometrics?|facial|profiles?|profiling|residents?|tenants?|people)\b/i,
  ),
  health: says(
    /\b(?:health|healthcare|patients?|clinics?|clinical|hospitals?|medical|ehr|phi|diagnos\w+|doctors?|physicians?|telemedicine)\b/i,
  ),
  cards: says(
    /\b(?:payments?|credit cards?|debit cards?|card data|cardholders?|checkout|point of sale|pos terminals?|acquirers?|merchants?)\b/i,
  ),
  service: says(
    /\b(?:saas|b2b|cloud|hosted|multi-?tenant|service providers?|subscription platform|platform|api)\b/i,
  ),
  security: says(
    /\b(?:information security|isms|cyber ?security|security|encrypt\w*|access controls?|confidential\w*|data ?cent(?:er|re)s?)\b/i,
  ),
  hiring: says(/\b(?:hiring|recruit\w*|applicants?|candidates?|resumes?|cvs?|promotion|job)\b/i),
  finance: says(
    /\b(?:banks?|banking|insur\w+|credit|lending|loans?|fintech|payments?|invest\w+|brokers?|trading|financial)\b/i,
  ),
  newYork: says(/\b(?:new york|nyc)\b/i),
  california: says(/\bcalifornian?\b/i),
} as const;
