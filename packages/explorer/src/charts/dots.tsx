/** Points of a chart. Shows the name of the point nearest to the pointer. */
import type { Entity } from '@worldwright/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { navigate } from '../navigation/navigation.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'
import { isForced, signPath } from './signs.ts'
import { Tip } from './tip.tsx'

/** An entity and its position in the chart, in pixels. */
export interface Dot {
  readonly x: number
  readonly y: number
  readonly entity: Entity
  readonly color?: string | undefined
  /** Size relative to the radius of all points. */
  readonly size?: number
}

/** Maximum distance between the pointer and the point that it selects, in pixels. */
const NEAR = 28

/**
 * Points drawn over `children`, which is the background. Arrow keys move through `dots` in order, and Enter or a click opens
 * the entity of the chosen point. `describe` returns the text that describes the position of the point at an index.
 */
export function Dots(props: {
  dots: readonly Dot[]
  width: number
  height: number
  radius: number
  label: string
  describe: (index: number) => string
  children: ComponentChildren
}) {
  const { dots, width, height, radius, label, describe, children } = props
  const { world } = useOpenWorld()
  const [at, setAt] = useState<number>()
  const chosen = at === undefined ? undefined : dots[at]
  const open = ({ entity: { type, id } }: Dot) => navigate({ page: 'entity', origin: world.origin, type, id })

  function onPointer(event: PointerEvent & { currentTarget: Element }) {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    setAt(nearest(dots, event.clientX - left, event.clientY - top))
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && chosen !== undefined) return open(chosen)
    if (event.key === 'Escape') return setAt(undefined)
    const step = STEPS[event.key]
    if (step === undefined || dots.length === 0) return
    event.preventDefault()
    setAt(Math.min(dots.length - 1, Math.max(0, (at ?? (step > 0 ? -1 : dots.length)) + step)))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of points is not a group of form fields.
    <div
      class="points"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move between points.
      tabIndex={0}
      aria-label={label}
      onKeyDown={onKey}
      onPointerLeave={() => setAt(undefined)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the group handles the keys. */}
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={label}
        class={chosen === undefined ? '' : 'choosing'}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onClick={(event) =>
          chosen && (event as unknown as PointerEvent).pointerType !== 'touch' && open(chosen)
        }
      >
        {children}
        {[...Map.groupBy(dots, ({ color = '', size = 1 }) => `${size} ${color}`)].map(([key, some]) => (
          <DotGroup key={key} dots={some} radius={radius * (some[0]?.size ?? 1)} color={some[0]?.color} />
        ))}
        {chosen !== undefined && <circle class="chosen" cx={chosen.x} cy={chosen.y} r={radius + 3} />}
      </svg>
      {chosen !== undefined && (
        <Tip x={chosen.x} y={chosen.y - radius} width={width}>
          <EntityLink entity={chosen.entity} most={80} />
          <span>{describe(at ?? 0)}</span>
          <Others dots={dots} chosen={chosen} />
        </Tip>
      )}
      <span class="hidden" role="status">
        {chosen && `${plainText(nameOf(chosen.entity))}: ${describe(at ?? 0)}`}
      </span>
    </div>
  )
}

/** Points of one colour and size: circles, or the shape of the colour where the browser forces its own colours. */
function DotGroup({ dots, radius, color }: Pick<Dot, 'color'> & { dots: readonly Dot[]; radius: number }) {
  const signs = isForced() ? dots.flatMap(({ x, y }) => signPath(color, x, y, radius * 1.3) ?? []) : []
  return signs.length > 0 ? (
    <path class="dots" style={{ fill: color, stroke: 'none' }} d={signs.join('')} />
  ) : (
    <path
      class="dots"
      stroke-width={radius * 2}
      style={{ stroke: color }}
      d={dots.map(({ x, y }) => `M${round(x)} ${round(y)}h0`).join('')}
    />
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageDown: 50,
  PageUp: -50,
}

/** Shows how many points are drawn at the position of the chosen point. */
function Others({ dots, chosen }: { dots: readonly Dot[]; chosen: Dot }) {
  const here = dots.filter(({ x, y }) => Math.abs(x - chosen.x) < 0.5 && Math.abs(y - chosen.y) < 0.5).length
  return here > 1 ? <span>{words.value.views.together(String(here))}</span> : null
}

function nearest(dots: readonly Dot[], x: number, y: number): number | undefined {
  let [found, least] = [undefined as number | undefined, NEAR ** 2]
  for (const [index, dot] of dots.entries()) {
    const distance = (dot.x - x) ** 2 + (dot.y - y) ** 2
    if (distance < least) [found, least] = [index, distance]
  }
  return found
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
