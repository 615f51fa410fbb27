/** Graph of the references of one entity. Each node links to the page of its entity. */
import './charts.css'
import './reference-graph.css'
import type { Entity, EntityRef } from '@worldwright/client'
import { nameOf } from '../data/entity-name.ts'
import { referencesOf } from '../data/references.ts'
import { Reference } from '../parts/reference.tsx'
import { ShortText } from '../parts/text.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions, fieldAt } from '../question/askable.ts'
import { count, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { typeIn } from '../world/world-profile.ts'
import { ChartFigure, tableOf } from './chart-figure.tsx'
import { type GraphLayout, type GraphNode, graphLayout } from './graph-layout.ts'
import { incomingOf, type Referring } from './incoming.ts'
import { useWidth } from './use-width.ts'

/** Maximum number of nodes. Referrers may use any nodes that the entity's own references leave unused. */
const MOST = 30
/** Minimum number of nodes reserved for referrers. */
const LEAST_TO = 12
/** Position of the arrowhead, as a fraction of the way from the entity to a node. */
const SIGN_AT = 0.8

const known = createMemory<Referring>(100)

/** A neighbouring entity, and the label of the edge to it. */
interface Neighbour {
  readonly of: EntityRef
  readonly edge: string
}

/** Graph of an entity. If the world does not support queries, only outgoing references are shown, and a note says so. */
export function ReferenceGraph({ entity }: { entity: Entity }) {
  const open = useOpenWorld()
  const { world, profile } = open
  const { app, ask, views } = words.value
  const isAsked = answersQuestions(profile)
  const all = referencesOf(entity.attributes)
  const schema = typeIn(profile, entity.type).schema
  const from = all
    .slice(0, isAsked ? MOST - LEAST_TO : MOST)
    .map(({ names, to }): Neighbour => ({ of: to, edge: fieldAt(JSON.stringify(names), schema).label }))
  const read = useRemote(
    isAsked ? `${world.origin} ${entity.type} ${entity.id} ${from.length}` : undefined,
    (signal) => incomingOf(open, entity, MOST - from.length, signal),
    { memory: known },
  )
  const to = (read.value?.shown ?? []).map(({ from: of, key }): Neighbour => {
    const type = typeIn(profile, of.type)
    return { of, edge: ask.by(type.title, fieldAt(key, type.schema).label) }
  })
  const waiting = read.isBusy ? [app.loading] : []
  const notes = isAsked && read.value === undefined ? waiting : notesOf(all.length, from.length, read.value)
  const rows = [
    ...from.map((neighbour) => ({ ...neighbour, direction: views.refersTo })),
    ...to.map((neighbour) => ({ ...neighbour, direction: views.referredBy })),
  ]
  return (
    <ChartFigure
      picture={<Picture entity={entity} from={from} to={to} label={views.graph} />}
      notes={notes}
      nothing={isAsked ? views.noReferences : views.onlyOutgoing}
      table={tableOf([views.direction, views.edge, views.entity], rows, ({ direction, edge, of }) => [
        direction,
        <ShortText key="edge" text={edge} most={120} />,
        <Reference key="to" to={of} />,
      ])}
      read={{ ...read, isBusy: isAsked && read.isBusy }}
    />
  )
}

/** Returns notes on what the graph shows and omits. `referring` is undefined if the world cannot list referrers. */
function notesOf(outgoing: number, drawn: number, referring: Referring | undefined): string[] {
  const { views } = words.value
  const total = outgoing + (referring?.total ?? 0)
  const shown = drawn + (referring?.shown.length ?? 0)
  return [
    referring === undefined ? views.onlyOutgoing : views.references(count(outgoing), count(referring.total)),
    shown < total ? views.shown(count(shown), count(total)) : views.allShown(count(total)),
    ...(referring?.isLowerBound ? [views.atLeast] : []),
  ]
}

interface PictureProps {
  readonly entity: Entity
  readonly from: readonly Neighbour[]
  readonly to: readonly Neighbour[]
  readonly label: string
}

function Picture({ entity, from, to, label }: PictureProps) {
  const { box, width } = useWidth()
  const layout = graphLayout(from.length, to.length, width)
  const { x, y, room, isAtStart } = layout.middle
  const place = { top: `${y}px`, insetInlineStart: `${isAtStart ? 0 : x - room / 2}px`, width: `${room}px` }
  return (
    <div class="plot reference-graph" ref={box} style={{ height: `${layout.height}px` }}>
      <Edges layout={layout} width={width} />
      <p class={isAtStart ? 'middle' : 'middle between'} style={place}>
        <strong>
          <ShortText text={nameOf(entity)} most={80} />
        </strong>
      </p>
      <ul class="nodes" aria-label={label}>
        {[...from, ...to].map((neighbour, index) => {
          const node = [...layout.from, ...layout.to][index]
          return node && <Node key={index} neighbour={neighbour} node={node} width={width} />
        })}
      </ul>
    </div>
  )
}

/** Edges as lines, each with an arrowhead in the direction of the reference. */
function Edges({ layout, width }: { layout: GraphLayout; width: number }) {
  const { middle } = layout
  const edge = ({ x, y }: GraphNode, isFrom: boolean) => {
    const [dx, dy] = [x - middle.x, y - middle.y]
    const turn = (Math.atan2(isFrom ? dy : -dy, isFrom ? dx : -dx) * 180) / Math.PI
    return (
      <g>
        <path d={`M${middle.x} ${middle.y}L${x} ${y}`} />
        <path
          class="direction"
          d="M-4 -4L4 0L-4 4Z"
          transform={`translate(${middle.x + dx * SIGN_AT} ${middle.y + dy * SIGN_AT}) rotate(${turn})`}
        />
      </g>
    )
  }
  return (
    <svg class="edges" width={width} height={layout.height} aria-hidden="true">
      {layout.from.map((node) => edge(node, true))}
      {layout.to.map((node) => edge(node, false))}
    </svg>
  )
}

function Node({ neighbour, node, width }: { neighbour: Neighbour; node: GraphNode; width: number }) {
  const { profile } = useOpenWorld()
  const { of, edge } = neighbour
  const side = node.isBefore
    ? { insetInlineEnd: `${width - node.x - 5}px` }
    : { insetInlineStart: `${node.x - 5}px` }
  return (
    <li
      class={node.isBefore ? 'before' : ''}
      style={{
        ...typeIn(profile, of.type).style,
        ...side,
        top: `${node.y}px`,
        maxWidth: `${node.room + 5}px`,
      }}
    >
      <span class="dot" aria-hidden="true" />
      <span class="node-text">
        <Reference to={of} />
        <span class="edge">
          <ShortText text={edge} most={80} />
        </span>
      </span>
    </li>
  )
}
