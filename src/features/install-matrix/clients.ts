import { type Client, compile } from "./client.ts";
import { ASSISTANTS } from "./clients/assistants.ts";
import { COMMAND_LINES } from "./clients/command-lines.ts";
import { EDITORS } from "./clients/editors.ts";
import { formsOf } from "./forms.ts";
import { AUTHS } from "./index.ts";
import type { Access, Server } from "./server.ts";
import type { Forms } from "./template.ts";

const keyOf = ({ auth, plain }: Access): string => `${auth} ${plain}`;

/** The clients that are known, each once. Gathered in November 2026 from the vendors' documents and sources. */
const COMPILED: ReadonlyMap<string, readonly ((forms: Forms) => Client)[]> = new Map(
  AUTHS.flatMap((auth) => [false, true].map((plain) => ({ auth, plain }))).map((access) => [
    keyOf(access),
    [EDITORS, COMMAND_LINES, ASSISTANTS]
      .flatMap((describe) => describe(access))
      .map((description) => compile(access, description)),
  ]),
);

/** How each client takes this server. */
export function clientsFor(server: Server): Client[] {
  const forms = formsOf(server);
  return (COMPILED.get(keyOf(server)) ?? []).map((fillIn) => fillIn(forms));
}
