/** Tools for the actions of worlds, one for each name. */
import {
  type ActionDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import type { OpenWorld } from './agent-world.ts'
import { quoted, valueText, word } from './text.ts'
import type { Asked, Tool } from './tool.ts'

/** Maximum characters of an input schema in the list of tools. */
const MAX_SCHEMA = 1_600
/** Maximum characters of a description that comes from a world. */
const MAX_WORDS = 160

/** Returns the tools for the actions that these worlds offer. `taken` are the names of other tools. */
export function actionTools(worlds: readonly OpenWorld[], taken: readonly string[]): Tool[] {
  const tools = new Map<string, Tool>()
  for (const { actions } of worlds)
    for (const action of actions) {
      const name = toolName(action.name)
      if (!tools.has(name) && !taken.includes(name)) tools.set(name, actionTool(name, action))
    }
  return [...tools.values()]
}

/** Returns the name of an action with the characters that clients allow in names of tools. */
function toolName(action: string): string {
  return action.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60)
}

function actionTool(
  name: string,
  { name: action, title, description, safe, inputSchema }: ActionDescription,
): Tool {
  const isSafe = safe === true
  const { $defs, ...schema } = fittingSchema(inputSchema)
  const words = [title, description].filter((text) => typeof text === 'string').join(': ')
  return {
    name,
    description: `Action ${word(action)}${words === '' ? '' : `, in the world's words: ${quoted(words, MAX_WORDS)}`}`,
    properties: {
      input: { type: 'object', ...schema },
      ...(!isSafe && {
        idempotencyKey: { type: 'string', description: 'new for each deed, the same for a retry' },
      }),
    },
    required: isSafe ? [] : ['idempotencyKey'],
    definitions: isObject($defs) ? $defs : undefined,
    isSafe,
    isOf: ({ actions }) => actions.some((one) => one.name === action),
    answer: (asked) => called(action, asked),
  }
}

/** Returns a schema as the member `input`, or one without details if it is long or has references that would break there. */
function fittingSchema(schema: unknown): JsonObject {
  if (!isObject(schema)) return {}
  const short = shortened(schema) as JsonObject
  const text = JSON.stringify(short)
  return text.length <= MAX_SCHEMA && !/"\$ref":"(?!#\/\$defs\/)/.test(text)
    ? short
    : {
        description: `members: ${Object.keys(isObject(schema['properties']) ? schema['properties'] : {})
          .map((name) => word(name, 60))
          .join(', ')}`,
      }
}

/** Shortens the descriptions in a schema, and makes invisible characters in them visible. */
function shortened(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(shortened)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'description' && typeof value === 'string'
        ? quoted(value, MAX_WORDS).slice(1, -1)
        : shortened(value),
    ]),
  )
}

async function called(action: string, { on, args, signal }: Asked) {
  const { input = {}, idempotencyKey } = args
  const options = { signal, ...(typeof idempotencyKey === 'string' && { idempotencyKey }) }
  const { output, job, warnings = [] } = await on.world.action(action, input as JsonObject, options)
  const members = isObject(output) ? Object.entries(output) : []
  const rows = isObject(output)
    ? members.map(([name, value]) => `${word(name)}: ${valueText(value, 4_000)}`)
    : output === undefined
      ? []
      : [valueText(output as JsonValue, 4_000)]
  return {
    head: [job === undefined ? `${word(action)} answered` : `${word(action)} began the job ${word(job)}`],
    rows: [...rows, ...warnings.map(({ message }) => `warning: ${quoted(message, 200)}`)],
    tail: (shown: number) =>
      shown < rows.length ? ['Not all is shown: repeat the call with a higher budget.'] : [],
  }
}
