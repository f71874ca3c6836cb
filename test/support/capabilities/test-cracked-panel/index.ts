import { defineCapability } from "../../../../src/core/catalog/define.ts";
import camForge from "../../../../src/features/cam-forge/index.ts";

/** cam-forge with a fault in the mesh that its worker makes. */
export default defineCapability({ ...camForge, slug: "test-cracked-panel", name: "Test cracked panel" });
