/**
 * Matches JSON Schema patterns in a single pass over the text. On a pattern such as `^(a+)+$`, a backtracking engine may
 * hang for a text of forty characters; RE2 never backtracks. To keep their ECMAScript meaning, patterns are parsed by the
 * ECMAScript grammar and translated to RE2 syntax.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { RE2JS } from 're2js'

/** Maximum number of instructions in a compiled pattern. With more, even a single pass is slow. */
const MAX_STATES = 2_000

/** The subset of the RegExp interface that `ajv` uses. */
export interface LinearPattern {
  test(text: string): boolean
  /** Returns a string that identifies the pattern. */
  toString(): string
}

/**
 * Compiles a pattern as if it had the flag `u`. Returns undefined if the pattern is too large, or uses lookaround,
 * backreferences or another feature that RE2 lacks or may interpret differently.
 * @throws SyntaxError if it is not a pattern
 */
export function linearPattern(pattern: string): LinearPattern | undefined {
  const { alternatives } = new RegExpParser().parsePattern(pattern, undefined, undefined, { unicode: true })
  try {
    const compiled = RE2JS.compile(alternativesText(alternatives))
    if (compiled.programSize() > MAX_STATES) return undefined
    return { test: (text) => compiled.test(text), toString: () => `/${pattern}/linear` }
  } catch {
    // The error is a `NotLinear`, or comes from RE2.
    return undefined
  }
}

/** Signals that RE2 cannot express a pattern; always caught in this file. */
class NotLinear extends Error {}

function alternativesText(alternatives: readonly AST.Alternative[]): string {
  const texts = alternatives.map(({ elements }) => elements.map(elementText).join(''))
  return `(?:${texts.join('|')})`
}

function elementText(element: AST.Element): string {
  switch (element.type) {
    case 'Character':
      return charText(element.value)
    case 'CharacterSet':
      return `[${setText(element)}]`
    case 'CharacterClass':
      return classText(element)
    case 'Group':
      if (element.modifiers) throw new NotLinear()
      return alternativesText(element.alternatives)
    case 'CapturingGroup':
      return alternativesText(element.alternatives)
    case 'Quantifier':
      return `(?:${elementText(element.element)})${timesText(element)}`
    case 'Assertion':
      return assertionText(element)
    default:
      throw new NotLinear()
  }
}

function timesText({ min, max }: AST.Quantifier): string {
  return max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`
}

function assertionText(assertion: AST.Assertion): string {
  if (assertion.kind === 'start') return '\\A'
  if (assertion.kind === 'end') return '\\z'
  // The engines agree on `\b` in case-sensitive patterns, but V8 also matches `\B` inside a surrogate pair.
  if (assertion.kind === 'word' && !assertion.negate) return '\\b'
  throw new NotLinear()
}

function classText({ elements, negate }: AST.CharacterClass): string {
  // An empty class matches no character; its negation matches every character.
  if (elements.length === 0)
    return negate ? `[${charText(0)}-${charText(LAST)}]` : `[^${charText(0)}-${charText(LAST)}]`
  return `[${negate ? '^' : ''}${elements.map(memberText).join('')}]`
}

function memberText(member: AST.CharacterClassElement): string {
  if (member.type === 'Character') return charText(member.value)
  if (member.type === 'CharacterClassRange')
    return `${charText(member.min.value)}-${charText(member.max.value)}`
  if (member.type === 'CharacterSet') return setText(member)
  throw new NotLinear()
}

/** Formats a character set, negated or not, as members of a character class. */
function setText(set: AST.CharacterSet): string {
  if (set.kind === 'any') return without(LINE_ENDS)
  if (set.kind === 'digit') return set.negate ? without(DIGITS) : ranges(DIGITS)
  if (set.kind === 'word') return set.negate ? without(WORD) : ranges(WORD)
  if (set.kind === 'space') return set.negate ? without(SPACE) : ranges(SPACE)
  // The engines agree on short category names, but not on long ones, scripts and other properties.
  if (set.kind !== 'property' || set.key !== 'General_Category' || !/^[A-Z][a-z]?$/.test(set.value ?? ''))
    throw new NotLinear()
  return `\\${set.negate ? 'P' : 'p'}{${set.value}}`
}

type Range = readonly [from: number, to: number]

const LAST = 0x10_ffff
const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
const DIGITS: readonly Range[] = [[0x30, 0x39]]
const WORD: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
/** Characters that `\s` matches in ECMAScript. */
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

function ranges(some: readonly Range[]): string {
  return some.map(([from, to]) => `${charText(from)}-${charText(to)}`).join('')
}

/** Formats the complement of `some`, whose ranges must be in ascending order, as members of a character class. */
function without(some: readonly Range[]): string {
  const starts = [0, ...some.map(([, to]) => to + 1)]
  const ends = [...some.map(([from]) => from - 1), LAST]
  return ranges(starts.map((from, at): Range => [from, ends[at] ?? LAST]).filter(([from, to]) => from <= to))
}

function charText(value: number): string {
  return `\\x{${value.toString(16)}}`
}
