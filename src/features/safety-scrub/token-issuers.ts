type Shape = {
  readonly issuer: string;
  /** What follows the prefix, or the whole token where there is none. Sticky, and bounded in length. */
  readonly pattern: RegExp;
  /** Whether the token may go on: its issuer gives no length. */
  readonly open?: true;
};

/** How the tokens of one issuer look: they begin with a prefix, or with a word of a known length and a mark after it. */
type TokenRule = Shape &
  (
    | { readonly prefixes: readonly string[] }
    | { readonly firstWord: readonly number[]; readonly mark: string }
  );

const HEX_32 = /[0-9a-f]{32}/y;
const HEX_40 = /[0-9a-f]{40}/y;
const HEX_64 = /[0-9a-f]{64}/y;
const ALNUM_32 = /[0-9A-Za-z]{32}/y;
const ALNUM_36 = /[0-9A-Za-z]{36}/y;
const AT_LEAST_16 = /[\w-]{16,64}/y;
const AT_LEAST_20 = /[\w-]{20,64}/y;
const AT_LEAST_32 = /[\w-]{32,64}/y;

/**
 * Prefixes, lengths and alphabets as each issuer documents them, or as it registered them with the secret scanning
 * programmes of GitHub and GitLab. Checksums of other issuers are not asked for: a mistyped token is worth hiding, too.
 */
export const ISSUERS: readonly TokenRule[] = [
  // Code hosting and packages
  { issuer: "GitHub", prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], pattern: /[0-9A-Za-z]{36,76}/y },
  { issuer: "GitHub fine-grained", prefixes: ["github_pat_"], pattern: /[0-9A-Za-z]{22}_[0-9A-Za-z]{59}/y },
  {
    issuer: "GitLab",
    prefixes: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glft-",
      "glffct-",
      "glsoat-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glptt-",
      "glcbt-",
      "GR1348941",
    ],
    pattern: AT_LEAST_20,
    open: true,
  },
  { issuer: "Bitbucket", prefixes: ["ATBB"], pattern: /[0-9A-Za-z]{24}[0-9A-F]{8}/y },
  { issuer: "Atlassian", prefixes: ["ATATT3", "ATCTT3"], pattern: /[\w=-]{60,256}/y, open: true },
  { issuer: "Trello", prefixes: ["ATTA"], pattern: /[0-9a-f]{64}[0-9A-F]{8}/y },
  { issuer: "npm", prefixes: ["npm_"], pattern: ALNUM_36 },
  {
    issuer: "PyPI",
    prefixes: ["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"],
    pattern: AT_LEAST_32,
    open: true,
  },
  { issuer: "RubyGems", prefixes: ["rubygems_"], pattern: /[0-9a-f]{48}/y },
  { issuer: "NuGet", prefixes: ["oy2"], pattern: /[0-9a-z]{43}/y },
  { issuer: "Clojars", prefixes: ["CLOJARS_"], pattern: /[0-9a-f]{60}/y },
  { issuer: "crates.io", prefixes: ["cio"], pattern: ALNUM_32 },
  { issuer: "Docker Hub", prefixes: ["dckr_pat_", "dckr_oat_"], pattern: AT_LEAST_20, open: true },
  { issuer: "JFrog", prefixes: ["AKCp"], pattern: /[0-9A-Za-z]{69}/y },
  { issuer: "JFrog reference token", prefixes: ["cmVmd"], pattern: /[0-9A-Za-z]{59}/y },
  { issuer: "Sourcegraph", prefixes: ["sgp_"], pattern: /(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}/y },
  { issuer: "SonarQube", prefixes: ["squ_", "sqp_", "sqa_"], pattern: HEX_40 },
  { issuer: "CircleCI", prefixes: ["CCIPAT_", "CCIPRJ_"], pattern: /[0-9A-Za-z]{22}_[0-9a-f]{40}/y },
  { issuer: "Buildkite", prefixes: ["bkua_"], pattern: HEX_40 },
  { issuer: "Octopus Deploy", prefixes: ["API-"], pattern: /[0-9A-Z]{25,32}/y },

  // Clouds and infrastructure
  { issuer: "Amazon Web Services", prefixes: ["AKIA", "ASIA", "ABIA", "ACCA"], pattern: /[0-9A-Z]{16}/y },
  { issuer: "Amazon Bedrock", prefixes: ["ABSK"], pattern: /[0-9A-Za-z+/]{109,269}/y },
  { issuer: "Google API", prefixes: ["AIza"], pattern: /[\w-]{35}/y },
  { issuer: "Google OAuth", prefixes: ["ya29."], pattern: AT_LEAST_20, open: true },
  { issuer: "Google OAuth client", prefixes: ["GOCSPX-"], pattern: /[\w-]{28}/y },
  { issuer: "Microsoft Entra", firstWord: [5], mark: "~", pattern: /[0-9A-Za-z]{3}\dQ~[\w.~-]{31,34}/y },
  { issuer: "Alibaba Cloud", prefixes: ["LTAI"], pattern: /[0-9A-Za-z]{12,20}/y },
  { issuer: "Tencent Cloud", prefixes: ["AKID"], pattern: ALNUM_32 },
  { issuer: "Yandex Cloud", prefixes: ["AQVN"], pattern: /[\w-]{35,38}/y },
  { issuer: "DigitalOcean", prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"], pattern: HEX_64 },
  { issuer: "Cloudflare Origin CA", prefixes: ["v1.0-"], pattern: /[0-9a-f]{24}-[0-9a-f]{146}/y },
  { issuer: "Heroku", prefixes: ["HRKU-"], pattern: /[\w-]{36,60}/y },
  { issuer: "Fly.io", prefixes: ["fm1a_", "fm1r_", "fm2_", "fo1_"], pattern: /[\w+/-]{40,512}/y, open: true },
  { issuer: "Netlify", prefixes: ["nfp_", "nfc_", "nfo_", "nfu_"], pattern: ALNUM_36 },
  { issuer: "Render", prefixes: ["rnd_"], pattern: /[0-9A-Za-z]{28,40}/y },
  { issuer: "Supabase", prefixes: ["sbp_"], pattern: HEX_40 },
  { issuer: "Supabase secret", prefixes: ["sb_secret_"], pattern: AT_LEAST_20, open: true },
  {
    issuer: "PlanetScale",
    prefixes: ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
    pattern: /[\w.=-]{32,64}/y,
    open: true,
  },
  { issuer: "Neon", prefixes: ["napi_"], pattern: /[0-9a-z]{40,64}/y },
  { issuer: "MongoDB Atlas", prefixes: ["mdb_sa_sk_"], pattern: /[\w-]{40}/y },
  { issuer: "Aiven", prefixes: ["AVNS_"], pattern: /[\w-]{19}/y },
  { issuer: "Databricks", prefixes: ["dapi"], pattern: /[0-9a-f]{32}(?:-\d)?/y },
  { issuer: "HashiCorp Vault", prefixes: ["hvs.", "hvb.", "hvr."], pattern: /[\w-]{24,64}/y, open: true },
  {
    issuer: "HashiCorp Terraform",
    firstWord: [14],
    mark: ".",
    pattern: /[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,70}/y,
  },
  { issuer: "Pulumi", prefixes: ["pul-"], pattern: HEX_40 },
  {
    issuer: "Doppler",
    prefixes: ["dp.pt.", "dp.st.", "dp.sa.", "dp.ct."],
    pattern: /(?:[\w-]{2,35}\.)?[0-9A-Za-z]{40,44}/y,
  },
  { issuer: "OpenShift", prefixes: ["sha256~"], pattern: /[\w-]{43}/y },
  { issuer: "Scalingo", prefixes: ["tk-us-"], pattern: /[\w-]{48}/y },
  {
    issuer: "Tailscale",
    prefixes: ["tskey-auth-", "tskey-api-", "tskey-client-", "tskey-scim-", "tskey-webhook-"],
    pattern: /[0-9A-Za-z]{8,24}-[0-9A-Za-z]{20,48}/y,
  },
  { issuer: "1Password", prefixes: ["ops_eyJ"], pattern: /[0-9A-Za-z+/]{100,512}/y, open: true },
  { issuer: "age", prefixes: ["AGE-SECRET-KEY-1"], pattern: /[02-9AC-HJ-NP-Z]{58}/y },
  { issuer: "Infracost", prefixes: ["ico-"], pattern: ALNUM_32 },
  { issuer: "Prefect", prefixes: ["pnu_", "pnb_"], pattern: ALNUM_36 },

  // Models
  {
    issuer: "OpenAI project",
    prefixes: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"],
    pattern: AT_LEAST_16,
    open: true,
  },
  {
    issuer: "OpenAI, DeepSeek and compatible",
    prefixes: ["sk-"],
    pattern: /(?=[A-Za-z]{0,63}\d|[a-z]{0,63}[A-Z])[0-9A-Za-z]{20,64}/y,
  },
  {
    issuer: "Anthropic",
    prefixes: ["sk-ant-api03-", "sk-ant-admin01-", "sk-ant-oat01-", "sk-ant-sid01-"],
    pattern: AT_LEAST_16,
    open: true,
  },
  { issuer: "OpenRouter", prefixes: ["sk-or-v1-"], pattern: HEX_64 },
  { issuer: "Hugging Face", prefixes: ["hf_", "api_org_"], pattern: /[0-9A-Za-z]{34}/y },
  { issuer: "Replicate", prefixes: ["r8_"], pattern: /[0-9A-Za-z]{37}/y },
  { issuer: "Groq", prefixes: ["gsk_"], pattern: /[0-9A-Za-z]{52}/y },
  { issuer: "Perplexity", prefixes: ["pplx-"], pattern: /[0-9A-Za-z]{40,56}/y },
  { issuer: "xAI", prefixes: ["xai-"], pattern: /[0-9A-Za-z]{80}/y },
  { issuer: "NVIDIA", prefixes: ["nvapi-"], pattern: /[\w-]{64}/y },
  { issuer: "Cerebras", prefixes: ["csk-"], pattern: /[0-9a-z]{48}/y },
  { issuer: "Pinecone", prefixes: ["pcsk_"], pattern: /[0-9A-Za-z]{5,6}_[0-9A-Za-z]{60,68}/y },
  { issuer: "LangSmith", prefixes: ["lsv2_pt_", "lsv2_sk_"], pattern: /[0-9a-f]{32}_[0-9a-f]{10}/y },
  { issuer: "Weights & Biases", prefixes: ["wandb_v1_"], pattern: AT_LEAST_32, open: true },
  { issuer: "ElevenLabs", prefixes: ["sk_"], pattern: /[0-9a-f]{48}/y },
  { issuer: "Tavily", prefixes: ["tvly-"], pattern: /(?:dev-|prod-)?[0-9A-Za-z]{32}/y },
  { issuer: "Firecrawl", prefixes: ["fc-"], pattern: HEX_32 },
  { issuer: "E2B", prefixes: ["e2b_"], pattern: HEX_40 },
  { issuer: "Jina", prefixes: ["jina_"], pattern: /[0-9a-f]{32}[\w-]{16,32}/y },

  // Money and trade
  {
    issuer: "Stripe",
    prefixes: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    pattern: /[0-9A-Za-z]{16,256}/y,
  },
  { issuer: "Standard Webhooks and Stripe", prefixes: ["whsec_"], pattern: /[0-9A-Za-z+/]{24,128}={0,2}/y },
  { issuer: "Square", prefixes: ["sq0atp-", "sq0csp-", "EAAA"], pattern: /[\w-]{22,60}/y, open: true },
  { issuer: "Shopify", prefixes: ["shpat_", "shpca_", "shppa_", "shpss_"], pattern: /[0-9A-Fa-f]{32}/y },
  {
    issuer: "Braintree and PayPal",
    prefixes: ["access_token$production$", "access_token$sandbox$"],
    pattern: /[0-9a-z]{16}\$[0-9a-f]{32}/y,
  },
  { issuer: "Razorpay", prefixes: ["rzp_live_", "rzp_test_"], pattern: /[0-9A-Za-z]{14}/y },
  { issuer: "Flutterwave", prefixes: ["FLWSECK-", "FLWSECK_TEST-"], pattern: /[0-9a-h]{32}-X/y },
  {
    issuer: "Plaid",
    prefixes: ["access-production-", "access-sandbox-", "access-development-"],
    pattern: /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/y,
  },
  { issuer: "EasyPost", prefixes: ["EZAK", "EZTK"], pattern: /[0-9A-Za-z]{54}/y },
  { issuer: "Shippo", prefixes: ["shippo_live_", "shippo_test_"], pattern: HEX_40 },
  { issuer: "Duffel", prefixes: ["duffel_live_", "duffel_test_"], pattern: /[\w-]{43}/y },
  { issuer: "WooCommerce", prefixes: ["ck_", "cs_"], pattern: HEX_40 },

  // Messages and mail
  {
    issuer: "Slack",
    prefixes: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-"],
    pattern: /(?:\d{1,13}-){1,3}[0-9A-Za-z]{16,64}/y,
  },
  { issuer: "Slack app", prefixes: ["xapp-"], pattern: /\d-[0-9A-Z]{8,16}-\d{8,16}-[0-9a-f]{32,80}/y },
  {
    issuer: "Slack configuration",
    prefixes: ["xoxe-", "xoxe.xoxp-", "xoxe.xoxb-"],
    pattern: /\d-[0-9A-Za-z]{100,200}/y,
  },
  {
    issuer: "Slack webhook",
    prefixes: ["hooks.slack.com/"],
    pattern: /(?:services|workflows|triggers)\/[0-9A-Za-z+/]{40,60}/y,
  },
  {
    issuer: "Discord bot",
    firstWord: [24, 25, 26, 27, 28],
    mark: ".",
    pattern: /[MNO][0-9A-Za-z]{23,27}\.[\w-]{6}\.[\w-]{27,38}/y,
  },
  {
    issuer: "Discord webhook",
    prefixes: ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    pattern: /\d{17,20}\/[\w-]{60,80}/y,
  },
  {
    issuer: "Microsoft Teams webhook",
    firstWord: [8],
    mark: "-",
    pattern:
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36}/y,
  },
  { issuer: "Telegram", firstWord: [8, 9, 10], mark: ":", pattern: /\d{8,10}:A[\w-]{34}/y },
  { issuer: "Twilio", prefixes: ["SK"], pattern: HEX_32 },
  { issuer: "SendGrid", prefixes: ["SG."], pattern: /[\w-]{22}\.[\w-]{43}/y },
  { issuer: "Mailgun", prefixes: ["key-"], pattern: HEX_32 },
  { issuer: "Mailchimp", firstWord: [32], mark: "-", pattern: /[0-9a-f]{32}-us\d{1,2}/y },
  { issuer: "Brevo", prefixes: ["xkeysib-", "xsmtpsib-"], pattern: /[0-9a-f]{64}-[0-9A-Za-z]{16}/y },
  { issuer: "Resend", prefixes: ["re_"], pattern: /[0-9A-Za-z]{8}_[0-9A-Za-z]{24}/y },
  { issuer: "MailerSend", prefixes: ["mlsn."], pattern: HEX_64 },

  // Work, data and observation
  { issuer: "Notion", prefixes: ["ntn_"], pattern: /\d{11}[0-9A-Za-z]{35}/y },
  { issuer: "Notion, older", prefixes: ["secret_"], pattern: /[0-9A-Za-z]{43}/y },
  { issuer: "Airtable", prefixes: ["pat"], pattern: /[0-9A-Za-z]{14}\.[0-9a-f]{64}/y },
  {
    issuer: "HubSpot",
    prefixes: ["pat-na1-", "pat-na2-", "pat-eu1-"],
    pattern: /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/y,
  },
  { issuer: "Linear", prefixes: ["lin_api_", "lin_oauth_"], pattern: /[0-9A-Za-z]{40,64}/y },
  { issuer: "Figma", prefixes: ["figd_"], pattern: /[\w-]{40}/y },
  { issuer: "Asana", prefixes: ["1/", "2/"], pattern: /\d{15,16}(?:\/\d{15,16})?[/:][0-9a-f]{32}/y },
  { issuer: "Typeform", prefixes: ["tfp_"], pattern: /[\w.-]{40,64}/y, open: true },
  { issuer: "Dropbox", prefixes: ["sl.", "sl.u."], pattern: /[\w-]{100,256}/y, open: true },
  { issuer: "Contentful", prefixes: ["CFPAT-"], pattern: /[\w-]{43}/y },
  { issuer: "Facebook", prefixes: ["EAACEdEose0cBA", "EAA"], pattern: /[0-9A-Za-z]{80,256}/y, open: true },
  { issuer: "X app", prefixes: ["AAAAAAAAAAAAAAAAAAAAA"], pattern: /[0-9A-Za-z%]{60,120}/y },
  { issuer: "MaxMind", firstWord: [6], mark: "_", pattern: /[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk/y },
  { issuer: "Mapbox", prefixes: ["sk.eyJ"], pattern: /[\w-]{40,120}\.[\w-]{20,24}/y },
  { issuer: "Postman", prefixes: ["PMAK-"], pattern: /[0-9a-f]{24}-[0-9a-f]{34}/y },
  { issuer: "New Relic", prefixes: ["NRAK-"], pattern: /[0-9A-Z]{27}/y },
  { issuer: "New Relic ingest", prefixes: ["NRII-"], pattern: /[\w-]{32}/y },
  {
    issuer: "Dynatrace",
    prefixes: ["dt0c01.", "dt0s01.", "dt0s02."],
    pattern: /[0-9A-Z]{8,24}\.[0-9A-Z]{64}/y,
  },
  { issuer: "Grafana", prefixes: ["glsa_"], pattern: /[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}/y },
  { issuer: "Grafana Cloud", prefixes: ["glc_eyJ"], pattern: /[0-9A-Za-z+/]{32,400}/y },
  { issuer: "Grafana, older", prefixes: ["eyJrIjoi"], pattern: /[0-9A-Za-z]{40,400}/y },
  { issuer: "Sentry", prefixes: ["sntryu_"], pattern: HEX_64 },
  {
    issuer: "Sentry organization",
    prefixes: ["sntrys_eyJ"],
    pattern: /[0-9A-Za-z+/]{40,400}={0,2}_[0-9A-Za-z+/]{43}/y,
  },
  { issuer: "PostHog", prefixes: ["phx_"], pattern: /[0-9A-Za-z]{40,60}/y },
  {
    issuer: "LaunchDarkly",
    prefixes: ["api-", "sdk-"],
    pattern: /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/y,
  },
  { issuer: "ReadMe", prefixes: ["rdme_"], pattern: /[0-9a-z]{70}/y },
  { issuer: "Apify", prefixes: ["apify_api_"], pattern: /[0-9A-Za-z]{34,40}/y },
  { issuer: "Frame.io", prefixes: ["fio-u-"], pattern: /[\w-]{64}/y },
  { issuer: "Adobe", prefixes: ["p8e-"], pattern: /[0-9A-Za-z]{32}/y },
  { issuer: "Browserbase", prefixes: ["bb_live_"], pattern: AT_LEAST_16, open: true },
];
