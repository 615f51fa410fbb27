/** Copies of the chart of a page as a picture that needs no style sheet. */

/** Style properties that become attributes of the copied elements. */
const STYLES = (
  'fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray stroke-linejoin stroke-linecap opacity display ' +
  'visibility vector-effect font-family font-size font-weight text-anchor dominant-baseline paint-order'
).split(' ')
/** Pixels of a picture per pixel of the page, for sharp lines in documents. */
const SCALE = 2

/** Returns the chart of the page, or undefined if there is none that is drawn whole, without parts of the page's markup. */
export function chartShown(): SVGSVGElement | undefined {
  const charts = [...document.querySelectorAll<SVGSVGElement>('#results svg[role=img]')]
  return charts.sort((one, other) => other.clientWidth - one.clientWidth)[0]
}

/** Returns a chart and the layers above and below it as SVG, with the colours and fonts of the page, on its ground. */
export function svgText(chart: SVGSVGElement): string {
  const { left, top, right, bottom, width, height } = chart.getBoundingClientRect()
  const picture = document.createElementNS(SVG, 'svg')
  const ground = document.createElementNS(SVG, 'rect')
  picture.append(ground)
  set(picture, { width, height })
  set(ground, { width, height, fill: getComputedStyle(document.documentElement).backgroundColor })
  for (const layer of document.querySelectorAll<SVGSVGElement>('#results svg')) {
    const at = layer.getBoundingClientRect()
    if (at.left >= right || at.right <= left || at.top >= bottom || at.bottom <= top) continue
    const copy = styled(layer)
    set(copy, { x: at.left - left, y: at.top - top, width: at.width, height: at.height })
    picture.append(copy)
  }
  return new XMLSerializer().serializeToString(picture)
}

const SVG = 'http://www.w3.org/2000/svg'

function set(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}

/** Returns a copy of a drawing whose elements have their computed styles as attributes. */
function styled(drawing: SVGSVGElement): Element {
  const copy = drawing.cloneNode(true) as Element
  const originals = [drawing, ...drawing.querySelectorAll('*')]
  for (const [index, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(originals[index] ?? drawing)
    set(element, Object.fromEntries(STYLES.map((name) => [name, style.getPropertyValue(name)])))
    for (const name of ['class', 'style', 'tabindex']) element.removeAttribute(name)
  }
  return copy
}

/** Returns a chart as a PNG. Rejects if the browser cannot draw it. */
export async function pngOf(chart: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svgText(chart)], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = chart.clientWidth * SCALE
    canvas.height = chart.clientHeight * SCALE
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((png) => (png === null ? reject(new Error('no picture')) : resolve(png)), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}
