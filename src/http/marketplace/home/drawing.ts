/** A perforated panel, as the page's picture: decoration, with nothing to read. */
const COLUMNS = 7;
const ROWS = 6;
const PITCH = 44;
const RADIUS = 19;
const MARGIN = 40;

const WIDTH = 2 * MARGIN + (COLUMNS - 0.5) * PITCH;
const HEIGHT = 2 * MARGIN + (ROWS - 1) * PITCH * (Math.sqrt(3) / 2);

export const PANEL = `<svg class="panel" viewBox="0 0 ${WIDTH.toFixed(0)} ${HEIGHT.toFixed(0)}" aria-hidden="true" focusable="false"><rect x="2" y="2" width="${(WIDTH - 4).toFixed(0)}" height="${(HEIGHT - 4).toFixed(0)}" rx="18"/><path d="${holes()}"/></svg>`;

function holes(): string {
  let path = "";
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const x = MARGIN + (column + (row % 2) / 2) * PITCH;
      const y = MARGIN + row * PITCH * (Math.sqrt(3) / 2);
      const corners = Array.from({ length: 6 }, (_, n) => {
        const turn = ((n + 0.5) * Math.PI) / 3;
        return `${(x + RADIUS * Math.cos(turn)).toFixed(1)} ${(y + RADIUS * Math.sin(turn)).toFixed(1)}`;
      });
      path += `M${corners.join("L")}Z`;
    }
  }
  return path;
}
