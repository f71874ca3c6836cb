/** Whether an `Accept` names HTML, and nothing that JSON would fit better (RFC 9110, 12.5.1). */
export function prefersHtml(accept = ""): boolean {
  const weights = new Map(accept.split(",").map(weightOf));
  const html = weights.get("text/html") ?? weights.get("application/xhtml+xml") ?? 0;
  return html > 0 && html >= (weights.get("application/json") ?? 0);
}

function weightOf(part: string): [type: string, weight: number] {
  const [type = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
  const weight = parameters.find((each) => each.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
