import { NotApplicable } from '../check/check.ts'
import { demand } from '../http/expect.ts'
import { at, objectsIn } from '../json/json.ts'
import { declared, isNumber, isShortText, query, subject, type Values, valuesAt } from './questions.ts'
import { check, type Target } from './target.ts'

const MOST_GROUPS = 100

/** Requests groups by a text that several entities share, with the count and the mean of a number. */
async function grouped(target: Target, groupLimit: number) {
  if (at(await declared(target), ['limits', 'groups']) === undefined)
    throw new NotApplicable('the extension does not state limits.groups')
  const isText = (value: unknown) => typeof value === 'string'
  const isShared = (all: Values<string>) => {
    const { size } = new Set(all.flat())
    return all.flat().every(isShortText) && size > 1 && size < Math.min(all.flat().length, MOST_GROUPS)
  }
  const known = await subject(target, 'text', isText, 'a text that entities share', isShared)
  const number = known.properties.find(({ kinds }) => kinds.join() === 'number')?.property
  if (number === undefined) throw new NotApplicable(`no property of ${known.type} is a number`)
  const keyed = known.entities.flatMap((entity) => {
    const numbers = [...new Set(valuesAt(entity, number).filter(isNumber))]
    const own = [...new Set(known.values(entity))]
    return (own.length > 0 ? own : [null]).map((key) => ({ key, numbers }))
  })
  const measures = ['count', 'avg'].map((op) => ({ op, property: number }))
  const input = { types: [known.type], group: [{ property: known.property }], measures, groupLimit }
  const { output, exchange } = await query(target, { ...input, limit: 0 })
  if (output['partial'] === true) throw new NotApplicable('the query ended early, with partial results')
  return { output, exchange, members: Map.groupBy(keyed, ({ key }) => key) }
}

/** Checks for section 9 of the decisions: groups and measures agree with the entities of a walk. Ordered by rule. */
export const queryGroupChecks = [
  check(
    'D9-18.a',
    'each group has the entities with its key, and the measures of their values',
    async (target) => {
      const { output, exchange, members } = await grouped(target, MOST_GROUPS)
      const groups = objectsIn(output['groups'])
      demand(groups.length === members.size, `${groups.length} groups instead of ${members.size}`, exchange)
      for (const { key, count, measures } of groups) {
        const [value] = [key].flat() as [string | null]
        const own = members.get(value) ?? []
        demand(count === own.length, `the group ${value} has ${count} instead of ${own.length}`, exchange)
        const numbers = own.flatMap(({ numbers }) => numbers)
        const having = own.filter(({ numbers }) => numbers.length > 0).length
        const mean = numbers.reduce((sum, one) => sum + one / numbers.length, 0)
        const [given, average] = [measures].flat()
        demand(given === having, `count of ${value} is ${given}, not ${having}`, exchange)
        const near = 1e-9 * Math.max(...numbers.map(Math.abs))
        const isNear = having > 0 ? Math.abs(Number(average) - mean) <= near : average === null
        demand(isNear, `avg of ${value} is ${average}, not ${mean}`, exchange)
      }
    },
  ),
  check(
    'D9-19.a',
    'groupsTotal is the number of all groups, and moreGroups is true if some are left out',
    async (target) => {
      const { output, exchange, members } = await grouped(target, 1)
      const { groups, groupsTotal, moreGroups = false } = output
      demand(groupsTotal === members.size, `groupsTotal is ${groupsTotal}, not ${members.size}`, exchange)
      demand(moreGroups === members.size > 1, `moreGroups is ${moreGroups}`, exchange)
      const most = Math.max(...[...members.values()].map(({ length }) => length))
      demand(objectsIn(groups)[0]?.['count'] === most, 'the first group is not the largest', exchange)
    },
  ),
]
