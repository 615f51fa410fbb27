import { isObject, type JsonObject, type JsonValue, pointerSteps } from '@worldwright/client/protocol'
import { surveyValue, type ValueSurvey } from '@worldwright/entities'
import { createValidator, SchemaFault } from '@worldwright/entities/schemas'
import { synonymFaults } from '@worldwright/search'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { formatNames } from '../formats/formats.ts'
import { type CellForm, cellFormFault } from '../mapping/cell-form.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { accentFaults, type LookDefinition } from './accent.ts'
import { type SearchDefinition, synonymRules } from './search-synonyms.ts'
import { type CheckFault, sourceFaults } from './source-checks.ts'
import WORLD_SCHEMA from './world.schema.json' with { type: 'json' }

/** Returns the JSON Schema of definitions, for use by editors. It lists the names of all known formats. */
export function definitionSchema(): JsonObject {
  const { $defs } = WORLD_SCHEMA
  const format = { ...$defs.format, enum: formatNames() }
  return { ...WORLD_SCHEMA, $defs: { ...$defs, format } }
}

/** Returns all faults in a parsed definition, or an empty array if it is valid. */
export function definitionFaults(value: unknown): CheckFault[] {
  const check = compiled()
  if (!check(value)) return faultsFrom(check.errors ?? [])
  const { webhooks = [] } = value as { webhooks?: { url: string }[] }
  const { types = [], sources = [] } = value as {
    types?: { type: string; schema?: JsonObject }[]
    sources?: (string | Mapping)[]
  }
  return [
    ...textFaults(value as JsonValue),
    ...repeatedTypes(types),
    ...webhooks.flatMap(({ url }, index) => {
      const isOnce = webhooks.findIndex((one) => one.url === url) === index
      const path = ['webhooks', index, 'url']
      return isOnce && URL.canParse(url) ? [] : [{ path, message: 'must be a URL, and stand here once' }]
    }),
    ...accentFaults((value as { look?: LookDefinition }).look ?? {}),
    ...synonymFaults(synonymRules(value as { search?: SearchDefinition })).map(({ rule, message }) => ({
      path: ['search', 'synonyms', rule],
      message,
    })),
    ...sources.flatMap((source, index) =>
      typeof source === 'string'
        ? []
        : [...cellFaults(source, ['sources', index]), ...sourceFaults(source, ['sources', index])],
    ),
    ...types.flatMap(({ schema }, index) =>
      schema === undefined ? [] : schemaFaults(schema, ['types', index, 'schema']),
    ),
  ]
}

let check: ValidateFunction | undefined

/** Compiles the schema unvalidated and unoptimized: tests validate the schema, and a process checks only one definition. */
function compiled(): ValidateFunction {
  check ??= new Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strict: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  }).compile(WORLD_SCHEMA)
  return check
}

/** Selects the errors worth showing. Of several alternatives, only the one that matches the value's type is reported. */
function faultsFrom(errors: readonly ErrorObject[]): CheckFault[] {
  const seen = new Set<string>()
  return errors.flatMap((error) => {
    const { keyword, instancePath, params } = error
    const path = pointerSteps(instancePath)
    const inside = (other: ErrorObject) => other !== error && other.instancePath.startsWith(instancePath)
    if (keyword === 'oneOf' && errors.some(inside)) return []
    // An error in one alternative is dropped, because the error of `anyOf` itself names all of them.
    if (error.schemaPath.includes('/anyOf/')) return []
    // If there is another error inside the value, the author did not mean the alternative with this type error.
    if (keyword === 'type' && error.schemaPath.includes('/oneOf/') && moreInside(errors, error)) return []
    const named = params['additionalProperty']
    const at = typeof named === 'string' ? [...path, named] : path
    const message = messageOf(error)
    const key = JSON.stringify([at, message])
    if (seen.has(key)) return []
    seen.add(key)
    return [{ path: at, message }]
  })
}

function moreInside(errors: readonly ErrorObject[], { instancePath, data }: ErrorObject): boolean {
  if (typeof data !== 'object' || data === null) return false
  return errors.some(
    (other) =>
      other.instancePath.startsWith(`${instancePath}/`) ||
      (other.instancePath === instancePath && other.keyword !== 'type' && other.keyword !== 'oneOf'),
  )
}

function messageOf({ keyword, params, message, parentSchema, instancePath }: ErrorObject): string {
  const description: unknown = parentSchema?.['description']
  switch (keyword) {
    case 'additionalProperties': {
      const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {})
      if (params['additionalProperty'] === 'owner' && known.includes('precedence'))
        return 'is now called precedence'
      return `is unknown; known are ${known.filter((name) => name !== '$schema').join(', ')}`
    }
    case 'anyOf':
      return String(description)
    case 'required':
      return `${params['missingProperty']} is missing`
    case 'type':
      if (instancePath === '') return 'a definition must be an object'
      return `must be ${wordOf(params['type'])}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`
    case 'pattern':
      return typeof description === 'string' ? `is not what is wanted here: ${description}` : String(message)
    default:
      return message ?? 'is not allowed'
  }
}

function wordOf(type: unknown): string {
  const words: Record<string, string> = {
    string: 'a string',
    object: 'an object',
    array: 'a list',
    boolean: 'true or false',
    integer: 'a whole number',
    number: 'a number',
  }
  return words[String(type)] ?? String(type)
}

function repeatedTypes(types: readonly { type: string }[]): CheckFault[] {
  const seen = new Set<string>()
  return types.flatMap(({ type }, index) => {
    if (seen.has(type))
      return [{ path: ['types', index, 'type'], message: `${type} is described more than once` }]
    seen.add(type)
    return []
  })
}

function cellFaults({ cells = {}, attributes = {} }: Mapping, path: CheckFault['path']): CheckFault[] {
  const named: [string, unknown][] = Array.isArray(attributes) ? [] : Object.entries(attributes)
  const forms: (readonly [CheckFault['path'], CellForm])[] = [
    ...Object.entries(cells).map(([column, form]) => [[...path, 'cells', column], form] as const),
    ...named.flatMap(([name, form]) =>
      isObject(form) ? [[[...path, 'attributes', name], form as CellForm] as const] : [],
    ),
  ]
  return forms.flatMap(([at, form]) => {
    const fault = cellFormFault(form)
    return fault ? [{ path: [...at, fault.member], message: fault.message }] : []
  })
}

function schemaFaults(schema: JsonObject, path: CheckFault['path']): CheckFault[] {
  try {
    createValidator(schema)
    return []
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error
    return [{ path: [...path, ...pointerSteps(error.pointer)], message: error.message }]
  }
}

/** Returns faults for numbers and strings that could not be served unchanged. */
function textFaults(value: JsonValue): CheckFault[] {
  const survey: ValueSurvey = { faults: [], bytesAtMost: 0 }
  surveyValue(value, '', survey)
  return survey.faults.map(({ pointer, message }) => ({ path: pointerSteps(pointer), message }))
}
