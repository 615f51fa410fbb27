/** Tools for the actions of worlds, one for each name. */
import {
  type ActionDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import type { OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { jsonText, listed, plain, quoted, valueText, word } from './text.ts'
import { type Asked, TEXT, type Tool } from './tool.ts'

/** Maximum characters of an input schema in the list of tools, and its levels. */
const [MAX_SCHEMA, MAX_LEVELS] = [1_600, 8]
/** Members of schemas that the list of tools keeps. */
const KEPT = ['type', 'properties', 'required', 'items', 'enum', 'description', '$ref', '$defs']
/** Maximum number of actions of a world that are tools. */
export const MAX_ACTIONS = 32

/** Returns the tools for the actions that a world offers, each with a name of its own. Clients allow only some characters. */
export function actionTools({ actions }: OpenWorld): Tool[] {
  const names = new Set<string>()
  return actions.slice(0, MAX_ACTIONS).map((action) => {
    const base = action.name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60)
    let name = base
    for (let at = 2; names.has(name); at++) name = `${base}_${at}`
    names.add(name)
    return actionTool(name, action)
  })
}

function actionTool(
  name: string,
  { name: action, title, description, safe, inputSchema }: ActionDescription,
): Tool {
  const writes = safe !== true
  const { $defs, ...schema } = fittingSchema(inputSchema)
  const words = [title, description].filter((text) => typeof text === 'string').join(': ')
  return {
    name,
    description: `Action ${word(action)}, in the world's words: ${quoted(words, 160)}`,
    properties: {
      input: { ...schema, type: 'object' },
      ...(writes && { idempotencyKey: { ...TEXT, description: 'new for each deed, same for a retry' } }),
    },
    required: writes ? ['idempotencyKey'] : [],
    definitions: isObject($defs) ? $defs : undefined,
    writes,
    isOf: ({ actions }) => actions.some((one) => one.name === action),
    answer: (asked) => called(action, asked),
  }
}

/** Returns a schema as that of a member, or its names if it is long or has references that would break there. */
function fittingSchema(schema: unknown): JsonObject {
  if (!isObject(schema)) return {}
  const kept = keptSchema(schema, MAX_LEVELS)
  const text = jsonText(kept)
  if (text.length <= MAX_SCHEMA && !/"\$ref":"(?!#\/\$defs\/)/.test(text)) return kept
  return { description: `members: ${listed(Object.keys(Object(schema['properties'])))}` }
}

/** Returns the kept members of a schema, with texts in which invisible characters are visible. */
function keptSchema(schema: JsonObject, levels: number): JsonObject {
  if (levels === 0) return {}
  const inner = (value: JsonValue) => (isObject(value) ? keptSchema(value, levels - 1) : {})
  const kept = Object.entries(schema).filter(([name]) => KEPT.includes(name))
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name === 'items') return [name, inner(value)]
      if (Array.isArray(value)) return [name, value.slice(0, 64).map(scalar)]
      if (!isObject(value)) return [name, scalar(value)]
      return [name, Object.fromEntries(Object.entries(value).map(([key, one]) => [scalar(key), inner(one)]))]
    }),
  )
}

function scalar(value: JsonValue): JsonValue {
  if (typeof value !== 'object' && typeof value !== 'string') return value
  return plain(typeof value === 'string' ? value.slice(0, 160) : valueText(value, 60))
}

async function called(action: string, { on, args, signal }: Asked): Promise<Answer> {
  const { input = {}, idempotencyKey } = args
  const options = { signal, ...(idempotencyKey !== undefined && { idempotencyKey: String(idempotencyKey) }) }
  const { output, job, warnings = [] } = await on.world.action(action, input as JsonObject, options)
  const members = isObject(output) ? Object.entries(output) : [['output', output] as const]
  const rows = [
    ...members.map(([name, value]) => `${word(name)}: ${valueText(value, 4_000)}`),
    ...warnings.map(({ message }) => `warning: ${quoted(`${message}`, 200)}`),
  ]
  return {
    head: job === undefined ? `${word(action)} answered` : `${word(action)} began the job ${word(`${job}`)}`,
    rows,
    tail: (shown) => [shown < rows.length && 'Not all is shown: repeat the call with a higher budget.'],
  }
}
