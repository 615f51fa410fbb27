/** Builds the definition that a mirror can be served with, from the world's description and the mirrored files. */
import type { World } from '@worldwright/client'
import { descriptionFrom, type Names } from '@worldwright/client/foreign'
import { isObject, type JsonObject, type JsonValue, typeFault } from '@worldwright/client/protocol'
import { DefinitionFault, definitionFromText } from '@worldwright/publish'
import { DEFINITION } from './mirror-folder.ts'

/** Text of a definition, and the fault that made it leave out schemas, indexes and search rules, if any. */
export interface MirroredDefinition {
  readonly text: string
  readonly fault?: string | undefined
}

/** Builds the definition of a mirror whose entities are in `files`. */
export function mirroredDefinition(
  { document }: World,
  names: Names | undefined,
  files: readonly string[],
): MirroredDefinition {
  const { id, name, entityTypes } = descriptionFrom(document, names)
  const about: unknown = document.world
  const description = isObject(about) ? about['description'] : undefined
  const { indexRules: rules, searchSynonyms: synonyms } = searchOf(document.extensions)
  const types = [...new Map(entityTypes?.value.map((one) => [one.type, one])).values()]
    .filter(({ type }) => typeFault(type) === undefined)
    .map(({ type, title, description, schema }) => ({
      type,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      ...(isObject(schema) && { schema }),
      ...indexingOf(rules[type]),
    }))
  const definition = {
    ...(id && URL.canParse(id.value) && { id: id.value }),
    ...(name && { name: name.value }),
    ...(typeof description === 'string' && { description }),
    // The mirror of a private world must be private too.
    ...(document.authentication?.required === true && { private: true }),
    // The mirror keeps entities even if they break a schema.
    onInvalid: 'warn',
    types,
    ...(synonyms.length > 0 && { search: { synonyms } }),
    sources: files,
  }
  const text = textOf(definition)
  const fault = faultIn(text)
  if (fault === undefined) return { text }
  const bare = types.map(({ schema: _, search: __, index: ___, ...type }) => type)
  return { text: textOf({ ...definition, types: bare, search: {} }), fault }
}

function textOf(definition: object): string {
  return `${JSON.stringify(definition, null, 2)}\n`
}

function faultIn(text: string): string | undefined {
  try {
    definitionFromText(text, DEFINITION)
    return undefined
  } catch (error) {
    if (error instanceof DefinitionFault) return error.message
    throw error
  }
}

/** Converts index rules to members of a definition. */
function indexingOf(rules: unknown): { search?: JsonObject; index?: JsonObject } {
  if (!isObject(rules)) return {}
  const member = (name: 'weight' | 'index') =>
    Object.entries(rules).flatMap(([attribute, rule]) => {
      const value = isObject(rule) ? rule[name] : undefined
      return value === undefined ? [] : [[attribute, value] as const]
    })
  const [weights, left] = [member('weight'), member('index')]
  return {
    ...(weights.length > 0 && { search: Object.fromEntries(weights) }),
    ...(left.length > 0 && { index: Object.fromEntries(left) }),
  }
}

/** Returns the index rules and synonyms that a world declares. */
function searchOf(extensions: unknown): { indexRules: JsonObject; searchSynonyms: JsonValue[] } {
  const changes = isObject(extensions) ? extensions['worldwright:changes'] : undefined
  const { indexRules, searchSynonyms } = isObject(changes) ? changes : {}
  return {
    indexRules: isObject(indexRules) ? indexRules : {},
    // The rules for types follow from the types.
    searchSynonyms: (Array.isArray(searchSynonyms) ? searchSynonyms : []).filter(
      (rule) => isObject(rule) && rule['type'] === undefined,
    ),
  }
}
