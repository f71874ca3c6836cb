/** The whole style of the page. Nothing is loaded: system fonts, and a picture in the page itself. */
export const STYLE = `:root{color-scheme:light dark;
--page:#f5f6f8;--card:#fff;--ink:#171b22;--soft:#4d5666;--line:#d5dae2;--brand:#8a4b00;--gold:#f5a524;--band:#14181f;--code:#14181f;
--shadow:0 1px 2px #1018280d,0 12px 32px -16px #1018282e}
@media (prefers-color-scheme:dark){:root{
--page:#0f1217;--card:#191e26;--ink:#eef1f6;--soft:#a9b2c1;--line:#2c3440;--brand:#f5b54e;--band:#0a0c10;--code:#07090c;--shadow:none}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);overflow-wrap:anywhere;
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.wrap{width:min(72rem,100% - 2rem);margin-inline:auto}
a{color:var(--brand)}
a:focus-visible,pre:focus-visible,main:focus-visible{outline:3px solid var(--gold);outline-offset:3px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;z-index:1;background:#fff;color:#14181f;padding:.5rem 1rem;border-radius:.5rem}
.top{background:var(--band);color:#fff;padding:2.5rem 0 5.5rem}
.top .wrap{display:grid;gap:2rem;align-items:center}
.name{margin:0 0 1.4rem;font-weight:750;font-size:1.15rem;color:var(--gold)}
h1{margin:0;font-size:clamp(2rem,1.3rem + 3.2vw,3.4rem);line-height:1.08;letter-spacing:-.03em;text-wrap:balance}
.lead{margin:1.1rem 0 0;font-size:1.15rem;color:#d6dbe4;max-width:38rem;text-wrap:pretty}
.go{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.8rem 0 0}
.button{display:inline-block;padding:.8rem 1.4rem;border-radius:.8rem;background:var(--gold);color:#14181f;font-weight:650;
text-decoration:none;border:2px solid var(--gold)}
.plain{background:transparent;color:#fff;border-color:#5b6473}
.button:hover{filter:brightness(1.08)}
.panel{width:100%;max-width:24rem;height:auto;justify-self:center}
.panel rect{fill:#f5a5241f;stroke:var(--gold);stroke-width:3}
.panel path{fill:var(--band);stroke:var(--gold);stroke-width:3;stroke-linejoin:round}
main:focus{outline:none}
.steps{list-style:none;counter-reset:step;margin:-3rem 0 0;padding:1.4rem;display:grid;gap:1.2rem;background:var(--card);
border-radius:1.2rem;box-shadow:var(--shadow);grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr))}
.steps li{counter-increment:step;display:grid;grid-template-columns:auto 1fr;column-gap:.8rem;align-content:start}
.steps li::before{content:counter(step);grid-row:span 2;width:2.2rem;height:2.2rem;border-radius:.7rem;display:grid;
place-items:center;background:var(--gold);color:#14181f;font-weight:750}
.steps span{color:var(--soft);font-size:.95rem;line-height:1.4}
h2{margin:3.5rem 0 .4rem;font-size:1.7rem;letter-spacing:-.02em}
.soft{margin:0 0 1.2rem;color:var(--soft)}
.shell{background:var(--code);color:#e8ecf3;border-radius:1.2rem;padding:1.3rem}
.shell p{margin:0 0 .5rem;color:var(--gold);font-weight:600}
.shell pre+p{margin-top:1.2rem}
pre{margin:0;white-space:pre-wrap;font:.92rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.cards{list-style:none;margin:1.2rem 0 0;padding:0;display:grid;gap:1rem;
grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr))}
.card{background:var(--card);border:1px solid var(--line);border-radius:1.1rem;padding:1.2rem;display:grid;
grid-template:"kind price" auto "name name" auto "what what" 1fr "path path" auto/1fr auto;gap:.35rem .8rem}
.card p,.card h3{margin:0}
.kind{grid-area:kind;font-size:.8rem;font-weight:650;color:var(--soft)}
.card h3{grid-area:name;font-size:1.15rem;line-height:1.25}
.card h3 a{color:inherit;text-decoration-thickness:1px;text-underline-offset:.2em}
.price{grid-area:price;white-space:nowrap;color:var(--soft);font-size:.9rem;line-height:1.2}
.price b{font-size:1.35rem;color:var(--brand)}
.vip{margin-left:.3rem;padding:.1rem .4rem;border-radius:.4rem;background:var(--gold);color:#14181f;font-weight:650}
.what{grid-area:what;color:var(--soft);font-size:.95rem;text-wrap:pretty}
.path{grid-area:path;margin-top:.5rem!important;font-size:.8rem;color:var(--soft)}
footer{display:flex;flex-wrap:wrap;gap:.5rem 1.6rem;padding:3.5rem 0 2.5rem}
@media (min-width:56rem){.top{padding:4rem 0 7rem}.top .wrap{grid-template-columns:minmax(0,7fr) minmax(0,4fr)}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}`;
