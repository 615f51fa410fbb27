/** Background of a map: the body, its meridians and parallels and, on the Earth, borders and names of countries. */
import { BORDERS, COUNTRIES } from 'virtual:borders'
import type { Outlined } from '@worldwright/extensions/shown'
import { useMemo } from 'preact/hooks'
import { locale } from '../navigation/settings.ts'
import { groundOf } from '../parts/ground.ts'
import { loaded } from '../parts/loaded.tsx'
import { heightOf, type MapFrame } from './map-frame.ts'
import { labelsOf } from './map-labels.ts'

/** Zoom from which the Earth is drawn in detail. */
const DETAILED = 3

/** Sea, land and borders in detail, in degrees. They cover those of the whole map. */
const Detail = loaded(async () => {
  const { LAND, BORDERS } = await import('virtual:detail')
  return ({ frame }: { frame: MapFrame }) => (
    <>
      <rect class="sea" x="-180" y="-180" width="360" height="360" />
      <path class="land earth" d={pathIn(frame, LAND)} />
      <path class="borders" d={pathIn(frame, BORDERS)} />
    </>
  )
})

const projected = new Map<string, string>()

/** Returns a path in relative steps of degrees in the projection of a frame. */
function pathIn({ isMercator }: MapFrame, path: string): string {
  if (!isMercator) return path
  let [x, y] = [0, 0]
  const kept =
    projected.get(path) ??
    path.replaceAll(/([Ml])(-?[\d.]+) ?(-?[\d.]+)/g, (_, step, right, down) => {
      ;[x, y] = step === 'M' ? [Number(right), Number(down)] : [x + Number(right), y + Number(down)]
      return `${step.toUpperCase()}${x.toFixed(2)} ${(-heightOf({ isMercator }, -y)).toFixed(2)}`
    })
  projected.set(path, kept)
  return kept
}

/** The background of a map that is `width` pixels wide and half as high. */
export function MapGround(props: { frame: MapFrame; width: number; outline: Outlined | undefined }) {
  const { frame, width, outline } = props
  const scale = (width / 360) * frame.zoom
  const step = [30, 15, 10, 5, 2, 1].find((degrees) => degrees * scale < width / 3) ?? 1
  const lines = (most: number) =>
    Array.from({ length: (2 * most) / step + 1 }, (_, index) => index * step - most)
  const pole = heightOf(frame, 90)
  const degrees = [
    ...lines(180).map((x) => `M${x} ${-pole}V${pole}`),
    ...lines(90).map((y) => `M-180 ${heightOf(frame, y)}H180`),
  ]
  const move = `translate(${width / 2 - frame.longitude * scale} ${width / 4 + heightOf(frame, frame.latitude) * scale}) scale(${scale})`
  const isEarth = outline === 'earth'
  return (
    <svg
      class="map"
      width={width}
      height={width / 2}
      viewBox={`0 0 ${width} ${width / 2}`}
      aria-hidden="true"
    >
      <rect class="sea" width={width} height={width / 2} />
      <g transform={move}>
        {outline !== undefined && <path class={`land ${outline}`} d={pathIn(frame, groundOf(outline))} />}
        {isEarth && <path class="borders" d={pathIn(frame, BORDERS)} />}
        {isEarth && frame.zoom >= DETAILED && <Detail frame={frame} />}
        {/* Land over the date line is drawn on both sides of the map, beside which a whole one in Web Mercator has room. */}
        {frame.isMercator && <path class="sea" d="M-540-180h360v360h-360zM180-180h360v360h-360z" />}
        <path class="degrees" d={degrees.join('')} />
      </g>
      {isEarth && <Names frame={frame} width={width} />}
    </svg>
  )
}

/** Names of countries, in the language of the page. */
function Names({ frame, width }: { frame: MapFrame; width: number }) {
  const regions = useMemo(() => new Intl.DisplayNames([locale.value], { type: 'region' }), [locale.value])
  const nameOf = (code: string) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code)
  return labelsOf(COUNTRIES, frame, width, nameOf).map(({ name, x, y }) => (
    <text key={name} class="country" x={x} y={y}>
      {name}
    </text>
  ))
}
