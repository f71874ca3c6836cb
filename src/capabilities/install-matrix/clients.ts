import { ASSISTANTS } from "./clients/assistants.ts";
import { COMMAND_LINES } from "./clients/command-lines.ts";
import { EDITORS } from "./clients/editors.ts";
import type { Describe } from "./client.ts";

/** The clients that are known, each once. Gathered in November 2026 from the vendors' documents and sources. */
export const CLIENTS: readonly Describe[] = [...EDITORS, ...COMMAND_LINES, ...ASSISTANTS];
