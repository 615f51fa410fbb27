/**
 * Checks that cannot block. A harmless-looking schema may take hours over one value: by a pattern with several ways
 * through the same text, or by references that fork. Such patterns are matched in one pass where they can be; all else of
 * the kind runs under a time limit.
 */
import { createContext, Script } from 'node:vm'
import type { JsonValue } from '@worldwright/client/protocol'
import { type LinearPattern, linearPattern } from './linear-pattern.ts'
import { subschemas } from './unsupported.ts'

/** How long one value may take, in milliseconds. No value in good faith takes a hundredth of it. */
export const LIMIT_MS = 250
/** A busy machine exceeds the limit as well: only a value that does so twice is to blame. */
const ATTEMPTS = 2

/** Keywords that check each item of a list against each branch, and collect what is wrong in all of them. */
const FORKS = ['$ref', 'anyOf', 'oneOf', 'contains']

/** Whether values exist that take more time than their length explains, as far as can be told. False is certain. */
export function mayBlock(schema: JsonValue): boolean {
  for (const { node } of subschemas(schema, '')) {
    const { pattern, patternProperties, format } = node
    if (FORKS.some((keyword) => Object.hasOwn(node, keyword)) || format === 'regex') return true
    // Each value is compared with each of these.
    if (Array.isArray(node['enum']) && node['enum'].some((one) => typeof one === 'object')) return true
    if (typeof pattern === 'string' && !isBounded(pattern)) return true
    if (typeof patternProperties === 'object' && !Object.keys(patternProperties ?? {}).every(isBounded))
      return true
  }
  return false
}

/** What matches a pattern: in one pass wherever that can be. @throws SyntaxError */
export function matcherOf(pattern: string): LinearPattern {
  return (isPlain(pattern) ? undefined : linearPattern(pattern)) ?? new RegExp(pattern, 'u')
}

/** Whether a pattern, which is one, takes no more time than the length of a text explains. */
function isBounded(pattern: string): boolean {
  return isPlain(pattern) || linearPattern(pattern) !== undefined
}

/**
 * Runs the work, interrupted where it takes longer than `limitMs`, twice: then it is too long.
 * Returns undefined if it was interrupted. It costs about 0.1 ms.
 */
export function withinLimit<T>(work: () => T, limitMs: number): T | undefined {
  let result: T | undefined
  room ??= { script: new Script('work()'), context: createContext({}) }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    room.context['work'] = () => {
      result = work()
    }
    try {
      room.script.runInContext(room.context, { timeout: limitMs })
      return result
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    } finally {
      room.context['work'] = undefined
    }
  }
  return undefined
}

/** Made by the first schema that needs it. It isolates nothing: it is here only for the time limit. */
let room: { readonly script: Script; readonly context: ReturnType<typeof createContext> } | undefined

/**
 * A pattern that takes one pass over the text: it has a single beginning to try, no branches, and one repetition of
 * open length at most; up to 99 times the same is not one.
 */
function isPlain(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\(?:[pPu]\{[^}]*\}|.)/gsu, 'x').replaceAll(/\[[^\]]*\]/gu, 'x')
  const repetitions = bare.replaceAll(/\{\d\d?\}/gu, '').match(/[*+?{]/gu) ?? []
  if (/[()|]/u.test(bare)) return false
  return repetitions.length === 0 || (repetitions.length === 1 && bare.startsWith('^'))
}
