import type { Judged } from '../check/baseline.ts'
import { namesIn, type WorldFacts } from '../server/facts.ts'
import { type Markup, markup } from './markup.ts'
import type { Subject } from './reporter.ts'
import { verdictOf } from './verdict.ts'

const STYLE: Markup = {
  markup: `:root{color-scheme:light dark;--pass:light-dark(#1a6b32,#6fdd8b);--fail:light-dark(#b3261e,#ff9d94);--note:light-dark(#7a5d00,#f0c75e);--line:light-dark(#d0d0d0,#484848)}
body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.2rem}code,pre{font-family:ui-monospace,monospace;font-size:.85rem}
.verdict{font-size:1.2rem;border-inline-start:.4rem solid;padding-inline-start:.7rem}
.pass,.passed{color:var(--pass)}.fail,.failed{color:var(--fail)}.warning,.not-asked,.incomplete{color:var(--note)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}
table{border-collapse:collapse;width:100%}caption{text-align:start}
th,td{text-align:start;vertical-align:top;padding:.3rem .6rem .3rem 0;border-top:1px solid var(--line)}
tbody th{font-weight:600;padding-top:1rem}td:first-child{white-space:nowrap;width:9rem}td p{margin:0}
pre{white-space:pre-wrap;border:1px solid var(--line);padding:.5rem}`,
}

const WORDS: Readonly<Record<Judged['outcome'], string>> = {
  pass: 'passed',
  warning: 'warned',
  fail: 'failed',
  'not-asked': 'not asked',
  'not-applicable': 'not applicable',
}

/** Returns the page about a run, without other files. Text of the world is escaped, control characters are shown as text. */
export function htmlReport(subject: Subject, results: readonly Judged[], facts: WorldFacts = {}): string {
  const { state, text } = verdictOf(subject, results)
  const told = results.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not-applicable')
  const rules = [...Map.groupBy(results, ({ rules: [rule = ''] }) => rule)]
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${subject.name}: ${text}</title>
<style>${STYLE}</style>
<main>
<h1>${subject.name}</h1>
<p class="verdict ${state}"><strong>${text}</strong></p>
<dl>
${factsOf(subject, results, facts).map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>
<h2>Findings</h2>
${told.length === 0 ? markup`<p>None.</p>` : markup`<ul>${told.map(finding)}</ul>`}
<h2>Rules</h2>
<table>
<caption>Each rule with its checks. Rules that cannot be checked from outside are not listed.</caption>
<thead><tr><th scope="col">Check</th><th scope="col">Requirement and reason</th></tr></thead>
${rules.map(([rule, checks]) => group(rule, checks))}</table>
</main>
</html>
`.markup
}

function factsOf(
  { role, profile, only, checks, rules, kit, date }: Subject,
  results: readonly Judged[],
  { world, reading }: WorldFacts,
): (readonly [name: string, value: string])[] {
  const counts = Object.entries(WORDS).map(
    ([outcome, word]) => `${results.filter((one) => one.outcome === outcome).length} ${word}`,
  )
  const names = namesIn(reading)
  const part = only === undefined ? '' : `; only ${only.join(', ')}`
  return [
    ['Date', date],
    ...(world === undefined ? [] : ([['World', world]] as const)),
    ['Profile', `${profile}, as a ${role}${part}`],
    ['Checks', `${checks}: ${counts.join(', ')}`],
    ['Rules', `version ${rules}`],
    ['Kit', `@worldwright/conformance ${kit}`],
    ...(names === '' ? [] : ([['Read by', names]] as const)),
  ]
}

function finding({ id, outcome, reason = '' }: Judged): Markup {
  return markup`<li><span class="${outcome}">${WORDS[outcome]}</span> <a href="#${id}">${id}</a>: ${reason}</li>\n`
}

function group(rule: string, checks: readonly Judged[]): Markup {
  const { sentence = '' } = checks[0] ?? {}
  const quoted = (part: string, at: number) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`)
  return markup`<tbody>
<tr><th scope="rowgroup" colspan="2"><code>${rule}</code> ${sentence.split('`').map(quoted)}</th></tr>
${checks.map(row)}</tbody>
`
}

function row({ id, outcome, demands, reason, exchanges = [], runs = [] }: Judged): Markup {
  const shown = [
    ...runs.map(({ command, exit, stdout, stderr }) => `$ ${command}\nexit: ${exit}\n${stdout}\n${stderr}`),
    ...exchanges.map(({ request, response }) => `${request}\n\n${response}`),
  ]
  const evidence = markup`<details><summary>Evidence</summary>${shown.map((text) => markup`<pre>${text}</pre>`)}</details>`
  return markup`<tr id="${id}"><td><span class="${outcome}">${WORDS[outcome]}</span><br><code>${id}</code></td><td><p>${demands}</p>${
    reason === undefined ? [] : markup`<p class="${outcome}">${reason}</p>`
  }${shown.length === 0 ? [] : evidence}</td></tr>
`
}
