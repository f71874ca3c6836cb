import { type Functions, readExpression } from "./expression.ts";

const FUNCTIONS = 20;
/** Functions of one expression, as JavaScript, TypeScript and Python write them. */
const FORMS: readonly RegExp[] = [
  /\bfunction (\w{1,60}) ?\(([^()]{0,200})\)(?::[^{}]{0,60})?[ \n]{0,40}\{\s{0,40}return ([^;{}\n]{1,300});?\s{0,40}\}/g,
  /\b(?:const|let|var) (\w{1,60}) = \(([^()=]{0,200})\)(?::[^=()]{0,60})? ?=> ([^;{}\n]{1,300})/g,
  /\b(?:const|let|var) (\w{1,60}) = (\w{1,60}) => ([^;{}\n]{1,300})/g,
  /\bdef (\w{1,60})\(([^()]{0,200})\)[^:\n]{0,60}:\s{0,40}return ([^;\n]{1,300})/g,
];

/** The functions of some code that are one arithmetical expression of their parameters. Nothing is executed. */
export function functionsIn(code: string): Functions {
  const found = FORMS.flatMap((form) => [...code.matchAll(form)]).slice(0, FUNCTIONS);
  return new Map(
    found.flatMap(([, name = "", parameters = "", body = ""]) => {
      const names = parameters
        .split(",")
        .map((parameter) => parameter.split(":")[0]?.trim() ?? "")
        .filter(Boolean);
      const expression = readExpression(body, new Map(), names);
      if (expression === undefined || expression.variables.some((variable) => !names.includes(variable)))
        return [];
      const call = (values: readonly number[]): number =>
        expression.value(new Map(names.map((parameter, index) => [parameter, values[index] ?? Number.NaN])));
      return [[name, { arity: names.length, call, parameters: names }]];
    }),
  );
}
