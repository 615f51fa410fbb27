/** The list of tools for some worlds, and the call of one. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { actionTools } from './actions.ts'
import { type AgentWorld, type OpenWorld, openWorld } from './agent-world.ts'
import { answerText, BUDGET } from './answer.ts'
import { describeWorld } from './describe-world.ts'
import { faultText, listed } from './faults.ts'
import { getEntity } from './get-entity.ts'
import { noQuery, query } from './query.ts'
import { relatedEntities } from './related-entities.ts'
import { search } from './search.ts'
import { callText, word } from './text.ts'
import { type Tool, ToolFault } from './tool.ts'

/** Maximum number of type names in the description of `describe_world`. */
const MAX_TYPES = 24
/** Maximum budget that an agent may set, in tokens. */
const MAX_BUDGET = 100_000

const TOOLS: readonly Tool[] = [describeWorld, search, query, getEntity, relatedEntities]

/** A tool as MCP lists it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject & { type: 'object' }
  readonly annotations: { readonly readOnlyHint: boolean }
}

/** Returns the tools of these worlds. A world that cannot be reached adds no types, and no tools of its own. */
export async function listTools(worlds: readonly AgentWorld[]): Promise<ListedTool[]> {
  const opened = await Promise.allSettled(worlds.map(openWorld))
  const open = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const names = worlds.map(({ name }) => name)
  return toolsOf(open).map((tool) => listedTool(tool, names, open))
}

function toolsOf(worlds: readonly OpenWorld[]): Tool[] {
  const own = TOOLS.filter(({ isOf }) => isOf === undefined || worlds.some(isOf))
  const names = TOOLS.map(({ name }) => name)
  return [...own, ...actionTools(worlds, names)]
}

function listedTool(tool: Tool, worlds: readonly string[], open: readonly OpenWorld[]): ListedTool {
  const { name, description, properties, required = [], definitions, isSafe, isOf } = tool
  const own = isOf ? open.filter(isOf).map((world) => world.name) : worlds
  const isMany = worlds.length > 1
  const needed = [...(isMany ? ['world'] : []), ...required]
  return {
    name,
    description: tool === describeWorld ? `${description} ${typesText(open, isMany)}` : description,
    inputSchema: {
      type: 'object',
      properties: {
        ...(isMany && { world: { enum: [...own] } }),
        ...properties,
        budget: { type: 'integer' },
      },
      ...(needed.length > 0 && { required: needed }),
      ...(definitions && { $defs: definitions }),
    },
    annotations: { readOnlyHint: isSafe },
  }
}

/** Names the types of each world, as far as there is room. */
function typesText(worlds: readonly OpenWorld[], isMany: boolean): string {
  const most = Math.ceil(MAX_TYPES / Math.max(1, worlds.length))
  return worlds
    .map(({ name, types }) => {
      const shown = types.slice(0, most).map(({ type }) => word(type))
      const more = types.length - shown.length
      return `${isMany ? word(name) : 'Types'}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
    })
    .join(' ')
}

/** Result of a call: text, and whether it reports a failure. */
export interface CallResult {
  readonly text: string
  readonly isError: boolean
}

/** Calls a tool. Failures of the call are results, which name a call that works. Throws only what is not the caller's fault. */
export async function callTool(
  worlds: readonly AgentWorld[],
  name: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<CallResult> {
  try {
    const on = await worldFor(worlds, name, args)
    const tool = toolsOf([on]).find((one) => one.name === name)
    if (tool === undefined && name === query.name) throw noQuery(args)
    if (tool === undefined)
      throw new ToolFault(
        `There is no tool ${word(name, 80)} for ${word(on.name)}. Tools: ${listed(toolsOf([on]).map((one) => one.name))}`,
      )
    const { world: _, budget = BUDGET, ...own } = args
    const asked = { on, args: own, signal }
    try {
      checkArguments(tool, own, budget)
      return { text: answerText(on.name, await tool.answer(asked), Number(budget)), isError: false }
    } catch (error) {
      return { text: await faultText(error, name, asked), isError: true }
    }
  } catch (error) {
    if (error instanceof ToolFault) return { text: error.message, isError: true }
    throw error
  }
}

async function worldFor(worlds: readonly AgentWorld[], tool: string, args: JsonObject): Promise<OpenWorld> {
  const [only, ...more] = worlds
  const chosen =
    more.length > 0 || args['world'] !== undefined ? worlds.find(({ name }) => name === args['world']) : only
  if (chosen) return openWorld(chosen)
  const works = callText(tool, { ...args, world: only?.name })
  throw new ToolFault(`world is one of ${listed(worlds.map(({ name }) => name))}. This works: ${works}`)
}

/** Checks the arguments against the schema of the tool, as far as it goes: names, required ones and types. @throws ToolFault */
function checkArguments(
  { name: tool, properties, required = [] }: Tool,
  args: JsonObject,
  budget: JsonValue,
): void {
  const names = Object.keys(properties)
  const refuse = (what: string) => {
    throw new ToolFault(
      `${what}. ${tool} takes ${listed([...names, 'budget'])}${required.length > 0 ? `; ${listed(required)} required` : ''}.`,
    )
  }
  for (const [name, value] of Object.entries(args)) {
    const schema = properties[name]
    if (schema === undefined) refuse(`There is no argument ${word(name, 80)}`)
    else if (!fits(value, schema))
      refuse(`${word(name)} is to be ${isObject(schema) ? schema['type'] : 'another value'}`)
  }
  for (const name of required) if (args[name] === undefined) refuse(`${word(name)} is missing`)
  const isBudget = Number.isInteger(budget) && Number(budget) >= 100 && Number(budget) <= MAX_BUDGET
  if (!isBudget) refuse(`budget is a number of tokens from 100 to ${MAX_BUDGET}`)
}

function fits(value: JsonValue, schema: JsonValue): boolean {
  const { type, items } = Object(schema)
  if (type === 'array') return Array.isArray(value) && value.every((one) => fits(one, items))
  if (type === 'integer') return Number.isSafeInteger(value) && Number(value) >= 0
  return type === undefined || (type === 'object' ? isObject(value) : typeof value === type)
}
