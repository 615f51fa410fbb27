import type { AttributeRule, IndexRules } from '@worldwright/core/store'
import type { WorldDefinition } from './definition.ts'

/** Returns the index rules of a definition's types, in the form that `setIndexRules` takes. */
export function indexRules({ types }: WorldDefinition): IndexRules {
  return Object.fromEntries(
    types.map(({ type, search = {}, index = {} }) => {
      const names = [...new Set([...Object.keys(search), ...Object.keys(index)])]
      return [type, Object.fromEntries(names.map((name) => [name, ruleOf(search[name], index[name])]))]
    }),
  )
}

function ruleOf(weight: number | undefined, index: false | undefined): AttributeRule {
  return { ...(weight !== undefined && { weight }), ...(index === false && { index }) }
}
