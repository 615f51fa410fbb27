/** Checks of a definition: its published schema, and rules that no schema can express. */
import { isObject, type JsonObject, type JsonValue, pointerSteps } from '@worldwright/client/protocol'
import { surveyValue, type ValueSurvey } from '@worldwright/entities'
import { createValidator, SchemaFault } from '@worldwright/entities/schemas'
import { synonymFaults } from '@worldwright/search'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { formatNames } from '../formats/formats.ts'
import { type CellForm, cellFormFault } from '../mapping/cell-form.ts'
import type { Mapping } from '../mapping/row-mapper.ts'
import { type SearchDefinition, synonymRules } from './search-synonyms.ts'
import { type CheckFault, sourceFaults } from './source-checks.ts'
import WORLD_SCHEMA from './world.schema.json' with { type: 'json' }

/** Returns the JSON Schema of a definition, for editors, with the names of all known formats. */
export function definitionSchema(): JsonObject {
  const { $defs } = WORLD_SCHEMA
  const format = { ...$defs.format, enum: formatNames() }
  return { ...WORLD_SCHEMA, $defs: { ...$defs, format } }
}

/** Returns all faults of a parsed definition; empty if it can be used. */
export function definitionFaults(value: unknown): CheckFault[] {
  const check = compiled()
  if (!check(value)) return faultsFrom(check.errors ?? [])
  const { types = [], sources = [] } = value as {
    types?: { type: string; schema?: JsonObject }[]
    sources?: (string | Mapping)[]
  }
  return [
    ...textFaults(value as JsonValue),
    ...repeatedTypes(types),
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

/** Compiles the schema without validating or optimizing it: each process checks one definition, and a test validates it. */
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

/** Selects the errors worth showing: of alternatives, those of the one that fits the value's type. */
function faultsFrom(errors: readonly ErrorObject[]): CheckFault[] {
  const seen = new Set<string>()
  return errors.flatMap((error) => {
    const { keyword, instancePath, params } = error
    const path = pointerSteps(instancePath)
    const inside = (other: ErrorObject) => other !== error && other.instancePath.startsWith(instancePath)
    if (keyword === 'oneOf' && errors.some(inside)) return []
    // An error of one alternative: the message of `anyOf` itself names them all.
    if (error.schemaPath.includes('/anyOf/')) return []
    // The type of another alternative: an error inside the value shows that it was not meant.
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

/** Returns faults of numbers and texts that could not be served unchanged. */
function textFaults(value: JsonValue): CheckFault[] {
  const survey: ValueSurvey = { faults: [], bytesAtMost: 0 }
  surveyValue(value, '', survey)
  return survey.faults.map(({ pointer, message }) => ({ path: pointerSteps(pointer), message }))
}
