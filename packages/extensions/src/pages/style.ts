/** Style sheet of all pages. Its file name depends on its content. */
import { hash } from 'node:crypto'
import type { Look } from './look.ts'

/** Text of the style sheet. */
export const STYLE = `:root{color-scheme:light dark;--soft:light-dark(#5c6470,#a3abb8);--line:light-dark(#e2e5ea,#30363f);--link:light-dark(#0b57d0,#8ab4f8);--page:light-dark(#fff,#14171c);--text:light-dark(#1b1f26,#e8eaee)}
*{box-sizing:border-box}
html{background:var(--page)}
body{margin:0 auto;max-width:52rem;padding:0 1.25rem 3rem;font:1rem/1.6 system-ui,sans-serif;color:var(--text)}
header{display:flex;justify-content:space-between;gap:1rem;padding:1rem 0;border-bottom:1px solid var(--line);margin-bottom:2rem}
header a{font-weight:600;color:inherit;text-decoration:none}
.explore{color:var(--link);border:1px solid var(--line);border-radius:.5rem;padding:.125rem .75rem}
noscript main{padding-top:2rem}
#app{display:none}
img.picture{width:100%;height:16rem;object-fit:cover;margin:0 0 1.5rem}
img.logo{width:4rem;height:4rem;object-fit:contain;border-radius:0;margin:0 0 1rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.125rem;margin:2rem 0 .5rem}
a{color:var(--link);text-underline-offset:.15em}
p,dd,li{overflow-wrap:anywhere}
.soft,footer,dt,.summary{color:var(--soft)}
.summary{font-size:1.125rem;margin:0 0 1.5rem}
dl{display:grid;grid-template-columns:minmax(7rem,30%) 1fr;gap:.5rem 1.5rem;margin:1.5rem 0}
dt{font-size:.9375rem;overflow-wrap:anywhere}
dd{margin:0;white-space:pre-line}
dd dl{margin:0;grid-template-columns:auto 1fr;gap:.125rem 1rem}
dd ul{margin:0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:0 .5rem}
dd li:not(:last-child)::after{content:' ·';color:var(--soft)}
img{max-width:100%;max-height:24rem;border-radius:.75rem;display:block;margin:1rem 0}
.list{list-style:none;padding:0;margin:1.5rem 0}
.list li{padding:.625rem 0;border-bottom:1px solid var(--line)}
.list a{font-weight:600;text-decoration:none}
.list span{display:block;color:var(--soft);font-size:.9375rem}
dd .prose{white-space:normal}
.prose>:first-child{margin-top:0}
dd .prose :is(ul,ol){display:block;list-style:revert;margin:1rem 0;padding-inline-start:1.5rem}
dd .prose li::after{content:none}
.prose pre{overflow-x:auto;white-space:pre}
.prose table{border-collapse:collapse;display:block;overflow-x:auto}
.prose :is(td,th){border:1px solid var(--line);padding:.25rem .5rem;text-align:start}
.prose blockquote{border-inline-start:.25rem solid var(--line);margin:1rem 0;padding-inline-start:1rem}
.prose figure{margin:2rem 0}
.prose figure img{height:auto;max-height:none;border:1px solid var(--line)}
figcaption{font-weight:600}
.card{border:1px solid var(--line);border-radius:.75rem;padding:.5rem 1rem;margin:1.5rem 0}
.card :is(p,dl){margin:.5rem 0}
nav{display:flex;gap:1rem;flex-wrap:wrap;margin:1.5rem 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:1.5rem 0;font-size:.9375rem}
th,td{padding:.5rem .75rem .5rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}
td.number,th.number{text-align:end;font-variant-numeric:tabular-nums}
thead th{color:var(--soft);font-weight:400}
code{font-size:.875rem;overflow-wrap:anywhere}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;font-size:.875rem}
footer p{margin:.25rem 0}
@media print{:root{color-scheme:light}.explore,nav{display:none}a{color:inherit}}
@media(max-width:34rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.75rem}}
`

/** Returns the style sheet of a world with its accent, and its path on the world's origin. */
export function styleOf({ accent }: Look): { readonly path: string; readonly text: string } {
  const own = accent ? `:root{--link:light-dark(${accent.light},${accent.dark})}\n` : ''
  const text = STYLE + own
  return { path: `/_pages/${hash('sha256', text, 'base64url').slice(0, 12)}.css`, text }
}
