import type { Config } from "../platform/config.ts";

/** Where the surfaces answer, in one line for a person. */
export const addresses = ({ baseUrl, apiUrl, opsUrl }: Config): string =>
  `marketplace ${baseUrl} (docs ${baseUrl}/docs)  tool API ${apiUrl}  operations ${opsUrl}`;
