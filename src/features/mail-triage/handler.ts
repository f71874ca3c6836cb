import { defineHandler } from "../../core/catalog/define.ts";
import mailTriage from "./index.ts";
import { readMail } from "./mail.ts";
import { triage } from "./triage.ts";

export default defineHandler(mailTriage, async (fields) => triage(await readMail(fields)));
