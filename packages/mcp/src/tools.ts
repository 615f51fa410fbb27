import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { actionTools } from './actions.ts'
import { type AgentWorld, type OpenWorld, openWorld, openWorlds } from './agent-world.ts'
import { answerText, BUDGET } from './answer.ts'
import { describeWorld } from './describe-world.ts'
import { faultText } from './faults.ts'
import { getEntity } from './get-entity.ts'
import { noQuery, query } from './query.ts'
import { relatedEntities } from './related-entities.ts'
import { search } from './search.ts'
import { callText, listed, quoted, word } from './text.ts'
import { type Tool, ToolFault } from './tool.ts'

/** Maximum number of type names in the description of `describe_world`. */
const MAX_TYPES = 24
/** Least and greatest budget that an agent may set, in tokens. */
const [LEAST, MOST] = [100, 100_000]

const TOOLS: readonly Tool[] = [describeWorld, search, query, getEntity, relatedEntities]

/** Returns the tools of these worlds. A world that cannot be reached adds no types, and no tools of its own. */
export async function listTools(worlds: readonly AgentWorld[]) {
  const open = await openWorlds(worlds)
  const isMany = worlds.length > 1
  return toolsOf(open).map((tool) => {
    const { name, description, properties, required = [], definitions, writes = false, isOf } = tool
    const own = (isOf ? open.filter(isOf) : worlds).map((world) => world.name)
    const world = isMany && { world: { enum: own } }
    const needed = [...(isMany ? ['world'] : []), ...required]
    return {
      name,
      description: tool === describeWorld ? `${description} ${typesText(open)}` : description,
      inputSchema: {
        type: 'object' as const,
        properties: { ...world, ...properties, budget: { type: 'integer' } },
        ...(needed.length > 0 && { required: needed }),
        ...(definitions && { $defs: definitions }),
      },
      annotations: { readOnlyHint: !writes },
    }
  })
}

function toolsOf(worlds: readonly OpenWorld[]): Tool[] {
  const own = TOOLS.filter(({ isOf }) => isOf === undefined || worlds.some(isOf))
  const actions = worlds.flatMap(actionsOf)
  return [...own, ...actions.filter(({ name }, at) => actions.findIndex((one) => one.name === name) === at)]
}

/** Returns the tools for the actions of a world; none if its descriptions cannot be read. */
function actionsOf(world: OpenWorld): Tool[] {
  try {
    return actionTools(world)
  } catch {
    return []
  }
}

/** Names the types of each world, as far as there is room. */
function typesText(worlds: readonly OpenWorld[]): string {
  const most = Math.ceil(MAX_TYPES / Math.max(1, worlds.length))
  const texts = worlds.map(({ name, types }) => {
    const more = types.length > most ? ` and ${types.length - most} more` : ''
    return `${worlds.length > 1 ? word(name) : 'Types'}: ${listed(types.slice(0, most).map(({ type }) => type))}${more}.`
  })
  return texts.join(' ')
}

/** Calls a tool. Failures are results too, which name a call that works. Never rejects. */
export async function callTool(
  worlds: readonly AgentWorld[],
  name: string,
  { world, budget = BUDGET, ...args }: JsonObject,
  signal: AbortSignal,
): Promise<{ text: string; isError?: true }> {
  const chosen = worlds.find((one) => (world === undefined ? worlds.length === 1 : one.name === world))
  if (chosen === undefined) {
    const names = worlds.map((one) => one.name)
    const works = callText(name, { ...args, world: names[0] })
    return { text: `world is one of ${listed(names)}. This works: ${works}`, isError: true }
  }
  const on = await openWorld(chosen).catch((error: Error) => error)
  if (on instanceof Error)
    return { text: `${word(chosen.name)} cannot be reached: ${quoted(on.message, 300)}`, isError: true }
  const same = { ...(worlds.length > 1 && { world: on.name }), ...(budget !== BUDGET && { budget }) }
  const call = (tool: string, given: object) => callText(tool, { ...same, ...given })
  const asked = { on, args, signal, call }
  try {
    const tools = toolsOf([on])
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined && name === query.name) throw noQuery(asked)
    if (tool === undefined)
      throw new ToolFault(
        `There is no tool ${word(name, 80)} here. Tools: ${listed(tools.map((one) => one.name))}`,
      )
    checkArguments(tool, args, budget)
    return { text: answerText(on.name, await tool.answer(asked), Number(budget)) }
  } catch (error) {
    return { text: await faultText(error, name, asked), isError: true }
  }
}

/** Words for the types of arguments. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  integer: 'a whole number',
  object: 'an object',
  string: 'a text',
}

/** Checks the arguments against the schema of the tool, as far as it goes: names, required ones and types. @throws ToolFault */
function checkArguments(
  { name: tool, properties, required = [] }: Tool,
  args: JsonObject,
  budget: JsonValue,
): void {
  const wrong = Object.entries(args).map(([name, value]) => {
    const schema = properties[name]
    if (schema === undefined) return `There is no argument ${word(name, 80)}`
    return (
      !fits(value, schema) &&
      `${word(name)} is to be ${KINDS[Object(schema).type] ?? 'another value'}${Object(Object(schema).items).type === 'object' ? ' of objects' : ''}`
    )
  })
  const absent = required.map((name) => args[name] === undefined && `${name} is missing`)
  const isBudget = Number.isInteger(budget) && Number(budget) >= LEAST && Number(budget) <= MOST
  const fault = [
    ...wrong,
    ...absent,
    !isBudget && `budget is a number of tokens from ${LEAST} to ${MOST}`,
  ].find(Boolean)
  const takes = `${tool} takes ${listed([...Object.keys(properties), 'budget'])}`
  if (fault)
    throw new ToolFault(`${fault}. ${takes}${required.length > 0 ? `; ${listed(required)} required` : ''}.`)
}

function fits(value: JsonValue, schema: JsonValue): boolean {
  const { type, items } = Object(schema)
  if (type === 'array') return Array.isArray(value) && value.every((one) => fits(one, items))
  if (type === 'integer') return Number.isSafeInteger(value) && Number(value) >= 0
  return type === undefined || (type === 'object' ? isObject(value) : typeof value === type)
}
