import type { Judged } from '../check/baseline.ts'
import { markup } from './markup.ts'
import type { Subject } from './reporter.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** Background of the verdict. White text has a contrast of at least 4.5 on each. */
const COLOR: Readonly<Record<Verdict['state'], string>> = {
  passed: '#1a7f37',
  failed: '#b3261e',
  incomplete: '#7a5d00',
}

/** Width of a character, and the padding around a text, in pixels. */
const CHARACTER = 6.5
const PADDING = 6

/** Returns the badge of a run, with its verdict and its date, as SVG. */
export function badge(subject: Subject, results: readonly Judged[]): string {
  const { name, role, profile, only, rules, date } = subject
  const { state, text } = verdictOf(subject, results)
  const left = `${role === 'server' ? 'world' : 'world client'} ${profile}${only === undefined ? '' : ' (part)'}`
  const right = `${text} | ${date.slice(0, 10)}`
  const [own, other] = [widthOf(left), widthOf(right)]
  const label = (x: number, said: string) =>
    markup`<text x="${x}" y="14" textLength="${widthOf(said) - 2 * PADDING}">${said}</text>`
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${own + other}" height="20" role="img">
<title>${name}: ${left}, rules ${rules}: ${right}</title>
<rect width="${own + other}" height="20" rx="3" fill="#444"/>
<path d="M${own} 0h${other - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${other - 3}z" fill="${COLOR[state]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${[label(PADDING, left), label(own + PADDING, right)]}</g>
</svg>
`.markup
}

function widthOf(text: string): number {
  return Math.ceil(text.length * CHARACTER) + 2 * PADDING
}
