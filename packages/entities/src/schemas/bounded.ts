/**
 * Bounds the time that a validation takes. Even with a harmless-looking schema, a single value may take hours: a pattern may
 * backtrack, and references may fork. Patterns are matched in one pass if possible. If a schema may
 * block nevertheless, it runs under a limit of processor time, which other work on the machine does not use up.
 */
import { createContext, Script } from 'node:vm'
import type { JsonValue } from '@worldwright/client/protocol'
import { type LinearPattern, linearPattern } from './linear-pattern.ts'
import { subschemas } from './unsupported.ts'

/** Limit of processor time to validate a value, in milliseconds. Legitimate values take less than a hundredth of it. */
export const LIMIT_MS = 250

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
 * Runs `work` until it ends or has taken `limitMs` of the thread's processor time; then returns undefined. The clock only
 * interrupts it: on a busy machine it runs again, for twice as long. The overhead is about 0.1 ms.
 */
export function withinLimit<T>(work: () => T, limitMs: number): T | undefined {
  let result: T | undefined
  room ??= { script: new Script('work()'), context: createContext({}) }
  for (let timeout = limitMs; ; timeout *= 2) {
    const begun = processorMs()
    room.context['work'] = () => {
      result = work()
    }
    try {
      room.script.runInContext(room.context, { timeout })
      return result
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      if (processorMs() - begun >= limitMs) return undefined
    } finally {
      room.context['work'] = undefined
    }
  }
}

/** Processor time of this thread, in milliseconds; before Node.js 22.19, and in some other runtimes, of the process. */
function processorMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}

/** Created on first use. Interrupts the work, but does not isolate it. */
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
