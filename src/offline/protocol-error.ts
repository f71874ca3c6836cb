/** A request that cannot be answered, as OpenAI's protocol words it. */
export class ProtocolError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;

  constructor(status: number, message: string, about: { code?: string; param?: string } = {}) {
    super(message);
    this.status = status;
    this.code = about.code ?? null;
    this.param = about.param ?? null;
  }

  /** The body of the answer. */
  toJSON(): { error: { message: string; type: string; param: string | null; code: string | null } } {
    const type = this.status >= 500 ? "server_error" : "invalid_request_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}
