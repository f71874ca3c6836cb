import type { Page } from "../pages.ts";
import type { Question, Reception } from "../reception.ts";
import { html, type Html } from "../../../../http/server/html.ts";
import { FIELD_CHARS, type Faults, type Fields, questionField, TRAP } from "./lead.ts";

/** The form of a page, filled with what was sent and the faults that it had. Works without scripts. */
export function formOf(
  page: Page,
  reception: Reception,
  { fields, faults }: { readonly fields: Fields; readonly faults: Faults },
): Html {
  const field = (about: Omit<TextField, "value" | "fault">): Html =>
    textField({ ...about, value: fields.get(about.name) ?? "", fault: faults.get(about.name) });
  const questions = reception.questions.map((question, index) => {
    const name = questionField(index);
    return question.options === undefined
      ? field({ name, label: question.label, chars: FIELD_CHARS.answer })
      : choice(name, { ...question, options: question.options }, fields.get(name));
  });
  return html`<form method="post" action="/r/${page.slug}">
    ${faults.size === 0 ? null : faultList(faults)} ${questions}
    ${field({ name: "name", label: "Your name", chars: FIELD_CHARS.name, autocomplete: "name", required: true })}
    <div class="two">
      ${field({ name: "phone", label: "Phone", hint: "or email", chars: FIELD_CHARS.phone, type: "tel", autocomplete: "tel" })}
      ${field({ name: "email", label: "Email", hint: "or phone", chars: FIELD_CHARS.email, type: "email", autocomplete: "email" })}
    </div>
    ${field({ name: "message", label: "Anything else?", hint: "if you like", chars: FIELD_CHARS.message, rows: 4 })}
    <div class="trap">
      <label>Leave this empty <input name="${TRAP}" tabindex="-1" autocomplete="off" /></label>
    </div>
    <p class="small">
      What you send is stored for the Meshforge account <strong>${page.owner}</strong>, which runs this page
      for <bdi>${page.business}</bdi>, so that it can answer you. Nobody else gets it, and the account can
      delete it at any time.
    </p>
    <button>${reception.action}</button>
  </form>`;
}

type TextField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly chars: number;
  readonly type?: "text" | "tel" | "email";
  readonly autocomplete?: string;
  readonly required?: boolean;
  /** More than one line. */
  readonly rows?: number;
  readonly value: string;
  readonly fault: string | undefined;
};

function textField({
  name,
  label,
  hint,
  chars,
  type = "text",
  autocomplete = "off",
  ...rest
}: TextField): Html {
  const { required = false, rows, value, fault } = rest;
  const wrong = fault === undefined ? null : html` aria-invalid="true" aria-describedby="${name}-fault"`;
  const common = html`id="${name}" name="${name}"
  maxlength="${chars}"${required ? html` required` : null}${wrong}`;
  return html`<div>
    <label class="q" for="${name}"
      >${label}${hint === undefined ? null : html` <span class="hint">(${hint})</span>`}</label
    >
    ${
      rows === undefined
        ? html`<input class="t" type="${type}" autocomplete="${autocomplete}" value="${value}" ${common} />`
        : html`<textarea rows="${rows}" ${common}>${value}</textarea>`
    }
    ${fault === undefined ? null : html`<p class="fault" id="${name}-fault">${fault}</p>`}
  </div>`;
}

function choice(name: string, { label, options }: Required<Question>, chosen: string | undefined): Html {
  return html`<fieldset>
    <legend>${label}</legend>
    <div class="choices">
      ${options.map(
        (option) =>
          html`<label
            ><input
              type="radio"
              name="${name}"
              value="${option}"
              ${option === chosen ? html` checked` : null}
            /><span>${option}</span></label
          >`,
      )}
    </div>
  </fieldset>`;
}

function faultList(faults: Faults): Html {
  return html`<div class="faults" role="alert">
    <p>Please look at this again:</p>
    <ul>
      ${[...faults].map(([name, fault]) => html`<li><a href="#${name}">${fault}</a></li>`)}
    </ul>
  </div>`;
}
