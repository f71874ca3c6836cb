import type { OfflineDrawing } from "../../core/models/offline.ts";
import { draw } from "./offline/draw.ts";

const drawing: OfflineDrawing = draw;
export default drawing;
