import { defineHandler } from "../../../../src/core/catalog/define.ts";
import testPatient from "./index.ts";

export default defineHandler(testPatient, ({ text }) => ({ text }));
