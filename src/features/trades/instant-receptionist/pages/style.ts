import { type Brand, GROUND } from "./brand.ts";

/** The whole style of a page. Nothing is loaded: system fonts, no images. */
export const styleOf = (brand: Brand): string => `:root{color-scheme:light dark;
--band:${brand.solid};--brand:${brand.solid};--on-brand:#fff;--page:${GROUND.page};--card:${GROUND.card};--ink:#171b22;--soft:#4d5666;
--line:#c9ced8;--field:#7b8494;--bad:#b3261e;--shadow:0 1px 2px #1018280d,0 12px 32px -12px #1018282e}
@media (prefers-color-scheme:dark){:root{
--brand:${brand.bright};--on-brand:${GROUND.darkPage};--page:${GROUND.darkPage};--card:${GROUND.darkCard};--ink:#eef1f6;
--soft:#a9b2c1;--line:#343c49;--field:#7d8797;--bad:#ff8a80;--shadow:0 1px 0 #ffffff0a inset}}
${STYLE}`;

const STYLE = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);overflow-wrap:anywhere;
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.wrap{width:min(68rem,100% - 2rem);margin-inline:auto}
.top{position:relative;isolation:isolate;overflow:hidden;background:var(--band);color:#fff;
padding:2.25rem 0 6.25rem}
.top::before,.top::after{content:"";position:absolute;z-index:-1;border-radius:50%;border:3.5rem solid #fff;
opacity:.07}
.top::before{width:26rem;height:26rem;right:-9rem;top:-15rem}
.top::after{width:16rem;height:16rem;right:11rem;top:8rem}
.top .wrap{display:flex;gap:1.1rem;align-items:center}
.mark{flex:none;display:grid;place-items:center;width:4rem;height:4rem;border-radius:1.15rem;
background:#fff;color:var(--band);font-size:1.5rem;font-weight:750;letter-spacing:-.02em}
h1{margin:0;font-size:clamp(1.5rem,1.1rem + 2vw,2.4rem);line-height:1.15;letter-spacing:-.02em;text-wrap:balance}
.area{margin:.3rem 0 0;font-weight:500}
main{position:relative;display:grid;gap:1.5rem;margin-top:-4.25rem;padding-bottom:3rem}
.card{background:var(--card);border-radius:1.25rem;box-shadow:var(--shadow);padding:1.4rem}
.hello{display:grid;gap:1.25rem;align-content:start}
.bubble{margin:0;font-size:1.15rem;line-height:1.5;text-wrap:pretty}
.steps{margin:0;padding:0;list-style:none;counter-reset:step;display:grid;gap:.7rem;color:var(--soft)}
.steps li{counter-increment:step;display:flex;gap:.75rem;align-items:baseline}
.steps li::before{content:counter(step);flex:none;width:1.65rem;height:1.65rem;border-radius:50%;display:grid;
place-items:center;border:2px solid var(--brand);color:var(--brand);font-size:.85rem;font-weight:700}
.notice{margin:0;padding:.8rem 1rem;border-left:.25rem solid var(--bad);border-radius:.4rem;background:var(--page)}
h2{margin:0 0 1.1rem;font-size:1.35rem;letter-spacing:-.01em;line-height:1.25}
form{display:grid;gap:1.2rem}
fieldset{margin:0;padding:0;border:0;min-width:0}
legend,label.q{display:block;padding:0;margin-bottom:.45rem;font-weight:600}
.hint{font-weight:400;color:var(--soft)}
.choices{display:flex;flex-wrap:wrap;gap:.5rem}
.choices label{position:relative;cursor:pointer}
.choices input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
.choices span{display:block;padding:.6rem 1rem;border:1px solid var(--field);border-radius:2rem;line-height:1.3}
.choices input:hover+span{border-color:var(--brand)}
.choices input:checked+span{background:var(--brand);border-color:var(--brand);color:var(--on-brand);font-weight:600}
.choices input:focus-visible+span{outline:3px solid var(--brand);outline-offset:2px}
input.t,textarea{display:block;width:100%;min-height:2.9rem;padding:.65rem .85rem;border:1px solid var(--field);
border-radius:.7rem;background:var(--card);color:inherit;font:inherit}
textarea{min-height:6rem;resize:vertical}
input.t:focus-visible,textarea:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--brand);
outline-offset:2px}
[aria-invalid]{border-color:var(--bad)!important;border-width:2px!important}
.fault{margin:.35rem 0 0;color:var(--bad);font-weight:600}
.faults{border:2px solid var(--bad);border-radius:.8rem;padding:.9rem 1.1rem}
.faults p{margin:0;font-weight:600}
.faults ul{margin:.4rem 0 0;padding-left:1.2rem}
.faults a{color:var(--bad)}
.two{display:grid;gap:1.2rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr))}
.trap{display:none}
button,.button{display:inline-block;width:100%;min-height:3.1rem;padding:.8rem 1.5rem;border:0;border-radius:.9rem;
background:var(--brand);color:var(--on-brand);font:inherit;font-size:1.05rem;font-weight:650;text-align:center;
text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.06)}
.small{margin:0;font-size:.9rem;color:var(--soft)}
.done{max-width:40rem;margin-inline:auto;width:100%;text-align:center;padding:2.75rem 1.6rem;display:grid;gap:1rem}
.done p{margin:0}
.tick{width:3.5rem;height:3.5rem;margin-inline:auto;border-radius:50%;display:grid;place-items:center;
background:var(--brand);color:var(--on-brand);font-size:1.7rem;line-height:1}
.done h2{margin:0;font-size:1.6rem}
footer{padding-bottom:2rem;color:var(--soft);font-size:.9rem;text-align:center}
@media (min-width:54rem){
.top{padding:3.5rem 0 8.5rem}
.mark{width:5rem;height:5rem;font-size:1.9rem;border-radius:1.4rem}
main{grid-template-columns:minmax(0,5fr) minmax(0,7fr);gap:1.75rem;margin-top:-5.25rem;align-items:start}
main.one{grid-template-columns:minmax(0,1fr)}
.card{padding:2rem}
.hello{position:sticky;top:1.5rem}
button{width:auto;justify-self:start}
.done .button{width:auto;justify-self:center}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media (forced-colors:active){.choices input:checked+span{outline:3px solid Highlight}}`;
