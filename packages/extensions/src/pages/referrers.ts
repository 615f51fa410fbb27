/** Referrers of an entity, grouped and counted by type and property, for its page. */
import {
  type Entity,
  type EntityRef,
  type EntityTypeDescription,
  isObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import { SEARCH_BUDGET_MS, type World } from '@worldwright/core'
import type { FacetResult, Found, Query } from '@worldwright/core/store'
import { pagePath } from '../views/index.ts'
import { type Html, html } from './html.ts'
import { countText, nameOf, typeName } from './seen-text.ts'
import { keyOf, pathLabels, referenceIn } from './values.ts'

/** Maximum pairs of type and property listed. The page indicates if there are more. */
const MOST_GROUPS = 50
/** Maximum entities named in all groups combined. */
const MOST_NAMED = 50

/** Referrers of an entity: the counts of all referrers, and the first few by type and id. */
export interface Referrers {
  readonly to: EntityRef
  readonly counted: FacetResult
  readonly named: readonly Entity[]
}

/** Searches as `worldwright:query` does. Returns undefined if there are certainly no referrers. Rejects if it fails. */
export async function referrersOf(
  { type, id }: EntityRef,
  world: Pick<World, 'find'>,
  asking: Pick<Query, 'signal' | 'client'>,
): Promise<Referrers | undefined> {
  const to = { type, id }
  const { hits, facets }: Found = await world.find({
    where: { op: 'refersTo', target: to },
    facets: [{ facet: 'referrers', target: to, limit: MOST_GROUPS }],
    limit: MOST_NAMED,
    budgetMs: SEARCH_BUDGET_MS,
    ...asking,
  })
  const counted = facets?.[0]
  if (counted === undefined || (counted.buckets.length === 0 && !counted.partial)) return undefined
  return { to, counted, named: hits.map(({ json }): Entity => JSON.parse(json)) }
}

/** Renders the section. `types` provides the display names of types and properties. */
export function referrersHtml(
  { to, counted, named }: Referrers,
  types: readonly EntityTypeDescription[],
): Html {
  const least = counted.partial && 'at least '
  const groups = counted.buckets.map(({ type = '', path = [], count }) => {
    const described = types.find((one) => one.type === type)
    const links = named
      .filter((entity) => entity.type === type && refersAt(entity.attributes, path, to))
      .map((entity) => html`<li><a href="${pagePath(type, entity.id)}">${nameOf(entity)}</a></li>`)
    const others = count - links.length
    const more =
      others > 0 &&
      html`<li>${links.length > 0 && 'and '}${least}${countText(others)}${links.length > 0 && ' more'}</li>`
    return html`<dt><a href="${pagePath(type)}">${described ? typeName(described) : type}</a>: ${pathLabels(path, described?.schema).join(', ')} (${least}${countText(count)})</dt>
<dd dir="auto"><ul>${links}${more}</ul></dd>`
  })
  return html`<h2>What points here</h2>
<dl>${groups}</dl>${counted.partial && html`<p>Counting took too long and was ended: there may be more.</p>`}${counted.more && html`<p>and others: these are the ${MOST_GROUPS} most frequent</p>`}`
}

/** Reports whether `value` contains a reference to `to` at `path`, which is applied to each element of a list. */
function refersAt(value: JsonValue | undefined, path: readonly string[], to: EntityRef): boolean {
  if (Array.isArray(value)) return value.some((one) => refersAt(one, path, to))
  const [name, ...others] = path
  if (name !== undefined)
    return isObject(value) && Object.hasOwn(value, name) && refersAt(value[name], others, to)
  const reference = referenceIn(value)
  return reference !== undefined && keyOf(reference) === keyOf(to)
}
