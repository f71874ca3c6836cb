import type { Result } from "../observatory-results.ts";
import type { Page } from "../page.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { cookies } from "./cookies.ts";
import { crossOriginResourcePolicy, referrerPolicy, xContentTypeOptions, xFrameOptions } from "./short.ts";
import { subresourceIntegrity } from "./subresource-integrity.ts";
import { strictTransportSecurity } from "./transport-security.ts";

type HeaderTest = {
  /** As the Observatory names it. */
  readonly id: string;
  readonly test: (page: Page) => Result;
  /** It says something of an answer that sends browsers on as well, which shows nothing itself. */
  readonly ofRedirects: boolean;
};

/** The Observatory's tests that one page answers, in its order. */
export const HEADER_TESTS: readonly HeaderTest[] = [
  { id: "content-security-policy", test: contentSecurityPolicy, ofRedirects: false },
  { id: "cookies", test: cookies, ofRedirects: true },
  { id: "referrer-policy", test: referrerPolicy, ofRedirects: false },
  { id: "strict-transport-security", test: strictTransportSecurity, ofRedirects: true },
  { id: "subresource-integrity", test: subresourceIntegrity, ofRedirects: false },
  { id: "x-content-type-options", test: xContentTypeOptions, ofRedirects: false },
  { id: "x-frame-options", test: xFrameOptions, ofRedirects: false },
  { id: "cross-origin-resource-policy", test: crossOriginResourcePolicy, ofRedirects: false },
];
