/** Action that computes the light travel time between two bodies of the Solar System from their orbits. */
import type { Entity } from '@worldwright/client'
import type { ActionDefinition, HandlerContext } from '@worldwright/extensions/actions'

/** Entity reference by type and id. */
interface Reference {
  type: string
  id: string
}

/** Light travel time per astronomical unit, in seconds. */
const SECONDS_PER_AU = 499.0047838
const KM_PER_AU = 149_597_870.7
const SECONDS_PER_YEAR = 31_557_600

const BODY = {
  type: 'object',
  required: ['type', 'id'],
  properties: {
    type: {
      enum: ['asteroid', 'comet', 'dwarf-planet', 'moon', 'planet', 'star'].map((name) => `sol:${name}`),
    },
    id: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
  },
  additionalProperties: false,
}

const action: ActionDefinition<{ from: Reference; to: Reference }> = {
  name: 'sol:light-time',
  title: 'Light-travel time',
  description:
    'How long light travels from one body to another: the shortest and the longest time, as if all orbits were circles in one plane.',
  safe: true,
  inputSchema: {
    type: 'object',
    required: ['from', 'to'],
    properties: {
      from: { ...BODY, title: 'From', description: 'Where the light begins, such as sol:planet earth' },
      to: { ...BODY, title: 'To', description: 'Where it arrives, such as sol:moon europa' },
    },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    required: ['minSeconds', 'maxSeconds'],
    properties: {
      minSeconds: { type: 'number', minimum: 0, description: 'When they are closest, in seconds' },
      maxSeconds: { type: 'number', minimum: 0, description: 'When they are farthest apart, in seconds' },
    },
  },
  async handler({ from, to }, context) {
    if (from.type === to.type && from.id === to.id)
      context.fail('sol:same_body', 'Light is there already: name two different bodies.')
    const [one, other] = await Promise.all([orbitsOf(from, context), orbitsOf(to, context)])
    return between(one, other)
  },
}

export default action

/** Step in the chain of parents from a body to the centre. Radii are in light-seconds. */
interface Step {
  key: string
  radius: number
}

async function orbitsOf(body: Reference, context: HandlerContext): Promise<Step[]> {
  const steps: Step[] = []
  let next: Reference | undefined = body
  while (next !== undefined) {
    const entity: Entity | undefined = await context.get(next.type, next.id)
    if (entity === undefined)
      context.fail('sol:no_such_body', 'There is no such body here.', { type: next.type, id: next.id })
    steps.push({ key: `${entity.type} ${entity.id}`, radius: radiusOf(entity, context) })
    next = entity.attributes['orbits'] as Reference | undefined
  }
  return steps
}

/** Returns the radius of a body's orbit around its parent or, for a star, its distance, in light-seconds. */
function radiusOf({ type, id, attributes }: Entity, { fail }: HandlerContext): number {
  const { semiMajorAxisAu, semiMajorAxisKm, distanceLightYears, orbits } = attributes
  if (typeof semiMajorAxisAu === 'number') return semiMajorAxisAu * SECONDS_PER_AU
  if (typeof semiMajorAxisKm === 'number') return (semiMajorAxisKm / KM_PER_AU) * SECONDS_PER_AU
  if (typeof distanceLightYears === 'number') return distanceLightYears * SECONDS_PER_YEAR
  if (orbits === undefined && type === 'sol:star') return 0
  return fail('sol:unknown_orbit', 'Nothing here says where this body is.', { type, id })
}

/** Computes the bounds. Up to the common centre, the radii of both chains add up or cancel out. */
function between(one: Step[], other: Step[]): { minSeconds: number; maxSeconds: number } {
  const shared = new Set(other.map(({ key }) => key))
  const left = one.filter(({ key }) => !shared.has(key))
  const right = other.filter(({ key }) => !one.some((step) => step.key === key))
  const radii = [...left, ...right].map(({ radius }) => radius)
  const sum = radii.reduce((total, radius) => total + radius, 0)
  const largest = Math.max(...radii)
  return { minSeconds: Math.max(0, rounded(2 * largest - sum)), maxSeconds: rounded(sum) }
}

/** Rounds to four significant digits, since the data have three or four. */
function rounded(seconds: number): number {
  return Number(seconds.toPrecision(4))
}
