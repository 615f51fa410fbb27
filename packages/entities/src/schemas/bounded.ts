/**
 * Bounds the time that a validation takes. Even with a harmless-looking schema, a single value may take hours: a pattern may
 * backtrack, and references may fork. Patterns are matched in one pass if possible. If a schema may
 * block nevertheless, it runs under a time limit.
 */
import { createContext, Script } from 'node:vm'
import type { JsonValue } from '@worldwright/client/protocol'
import { type LinearPattern, linearPattern } from './linear-pattern.ts'
import { subschemas } from './unsupported.ts'

/** Time limit per attempt to validate a value, in milliseconds. Legitimate values take less than a hundredth of it. */
export const LIMIT_MS = 250
/** Attempts per value. A value may exceed the limit because the machine is busy, so only a second timeout rejects it. */
const ATTEMPTS = 2

/** Keywords that may cause the same value to be validated several times. */
const FORKS = ['$ref', 'anyOf', 'oneOf', 'contains']

/** Reports whether a schema may need more than linear time for some value. False is certain; true may be overcautious. */
export function mayBlock(schema: JsonValue): boolean {
  for (const { node } of subschemas(schema, '')) {
    const { pattern, patternProperties, format } = node
    if (FORKS.some((keyword) => Object.hasOwn(node, keyword)) || format === 'regex') return true
    // A value is compared with each of these objects.
    if (Array.isArray(node['enum']) && node['enum'].some((one) => typeof one === 'object')) return true
    if (typeof pattern === 'string' && !isBounded(pattern)) return true
    if (typeof patternProperties === 'object' && !Object.keys(patternProperties ?? {}).every(isBounded))
      return true
  }
  return false
}

/** Compiles a pattern to a matcher that needs a single pass over the text, if possible. @throws SyntaxError */
export function matcherOf(pattern: string): LinearPattern {
  return (isPlain(pattern) ? undefined : linearPattern(pattern)) ?? new RegExp(pattern, 'u')
}

/** Reports whether a valid pattern needs only linear time for any text. */
function isBounded(pattern: string): boolean {
  return isPlain(pattern) || linearPattern(pattern) !== undefined
}

/**
 * Runs `work` under a time limit of `limitMs`. If it times out, runs it once more; if it times out again, returns
 * undefined. The overhead is about 0.1 ms.
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

/** Created on first use. Provides a time limit, but no isolation. */
let room: { readonly script: Script; readonly context: ReturnType<typeof createContext> } | undefined

/**
 * Reports whether a backtracking engine matches a pattern in a single pass: the pattern has no groups or alternatives, and
 * either no repetition, or one repetition and an anchor at its start. A fixed count up to 99 does not count as repetition.
 */
function isPlain(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\(?:[pPu]\{[^}]*\}|.)/gsu, 'x').replaceAll(/\[[^\]]*\]/gu, 'x')
  const repetitions = bare.replaceAll(/\{\d\d?\}/gu, '').match(/[*+?{]/gu) ?? []
  if (/[()|]/u.test(bare)) return false
  return repetitions.length === 0 || (repetitions.length === 1 && bare.startsWith('^'))
}
