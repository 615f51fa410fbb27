/** Tools for the actions of worlds, one for each name. */
import { type ActionDescription, isObject, type JsonObject } from '@worldwright/client/protocol'
import type { OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { jsonText, listed, quoted, valueText, word } from './text.ts'
import { type Asked, TEXT, type Tool } from './tool.ts'

/** Maximum characters of an input schema in the list of tools. */
const MAX_SCHEMA = 1_600

/** Returns the tools for the actions that these worlds offer. Clients allow only some characters in names of tools. */
export function actionTools(worlds: readonly OpenWorld[]): Tool[] {
  const actions = worlds.flatMap((world) => world.actions)
  return actions.map((action) =>
    actionTool(action.name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60), action),
  )
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
      ...(writes && { idempotencyKey: { ...TEXT, description: 'new for each deed, the same for a retry' } }),
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
  // Escapes are doubled, so that invisible characters in the schema are visible to the agent.
  const text = jsonText(schema).replaceAll(/\\u(?=[0-9a-f]{4})/g, '\\\\u')
  if (text.length <= MAX_SCHEMA && !/"\$ref":"(?!#\/\$defs\/)/.test(text)) return JSON.parse(text)
  return { description: `members: ${listed(Object.keys(Object(schema['properties'])))}` }
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
