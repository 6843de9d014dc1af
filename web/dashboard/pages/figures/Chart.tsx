import './figures.css'
import { useId, useState, type KeyboardEvent } from 'react'
import { fill } from '../../../shared/language.ts'
import { figureTexts as words } from '../../texts/of-figures.ts'

/** What stands side by side over one place of the axis. */
export interface Point {
  readonly label: string
  /** One for each series; below 0 what went out. */
  readonly values: readonly number[]
}

interface Drawn {
  readonly title: string
  /** The words of the series; a colour stands for nothing that they do not say. */
  readonly series: readonly string[]
  readonly points: readonly Point[]
  /** A value as people write it, with its currency. */
  readonly valueText: (value: number) => string
  /** Whether its places are moments in their order, of which the first and the last say which. */
  readonly isInTime: boolean
}

const [WIDTH, HEIGHT] = [600, 140]
/** Of the room of a point, what stays free beside its bars. */
const GAP = 0.3

/** Bars of which the arrow keys, or the pointer, choose those whose values are told exactly. */
export function Chart({ title, series, points, valueText, isInTime }: Drawn) {
  const [at, setAt] = useState<number | null>(null)
  const hint = useId()
  const last = points.length - 1
  const chosen = at === null ? undefined : points[Math.min(at, last)]
  const move = (event: KeyboardEvent) => {
    const from = at ?? last + 1
    const to = { ArrowLeft: from - 1, ArrowRight: at === null ? 0 : from + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(last, to)))
  }
  return (
    <div className="chart">
      <ul className="legend">
        {series.map((word, n) => (
          <li key={word}>
            <span className={`swatch series-${n}`} aria-hidden="true" />
            {word}
          </li>
        ))}
      </ul>
      <div
        role="slider"
        tabIndex={0}
        className="plot"
        aria-label={title}
        aria-describedby={hint}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? 0}
        aria-valuetext={chosen ? textOf(chosen, series, valueText) : words.nothingChosen}
        onKeyDown={move}
        onPointerLeave={() => setAt(null)}
      >
        <Bars points={points} at={at} choose={setAt} />
      </div>
      <p className="muted readout">
        {chosen ? textOf(chosen, series, valueText) : placesOf(points, isInTime)}
      </p>
      <span id={hint} className="unseen">
        {words.byArrows}
      </span>
    </div>
  )
}

const placesOf = (points: readonly Point[], isInTime: boolean): string =>
  isInTime
    ? `${points[0]?.label ?? ''} – ${points.at(-1)?.label ?? ''}`
    : points.map(({ label }) => label).join(' · ')

const textOf = ({ label, values }: Point, series: readonly string[], valueText: Drawn['valueText']): string =>
  `${label}: ${series.map((word, n) => `${word} ${valueText(values[n] ?? 0)}`).join(', ')}`

interface Choosing {
  readonly points: readonly Point[]
  readonly at: number | null
  readonly choose: (at: number) => void
}

function Bars({ points, at, choose }: Choosing) {
  const all = points.flatMap(({ values }) => values)
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)]
  const scale = (HEIGHT - 4) / (most - least || 1)
  const zero = HEIGHT + least * scale
  const room = WIDTH / Math.max(1, points.length)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {points.map(({ label, values }, n) => (
        <g key={label} onPointerEnter={() => choose(n)}>
          <rect
            x={n * room}
            y={0}
            width={room}
            height={HEIGHT}
            className={n === at ? 'place chosen' : 'place'}
          />
          {values.map((value, of) => {
            const width = (room * (1 - GAP)) / values.length
            const height = Math.abs(value) * scale
            return (
              <rect
                key={of}
                className={`series-${of}`}
                x={n * room + (room * GAP) / 2 + of * width}
                y={value < 0 ? zero : zero - height}
                width={width}
                height={height}
              />
            )
          })}
        </g>
      ))}
      <line x1={0} x2={WIDTH} y1={zero} y2={zero} className="axis" />
    </svg>
  )
}

interface Said extends Pick<Drawn, 'series' | 'points' | 'valueText'> {
  /** What is said of all places: their sum, how the last one stands, or nothing, as they make no whole. */
  readonly whole: 'sum' | 'last' | 'none'
}

/** What a chart shows, in a sentence. */
export function summaryOf({ series, points, valueText, whole }: Said): string {
  if (points.every(({ values }) => values.every((value) => value === 0))) return words.nothingThen
  // The first that has anything: of one that has nothing no moment stands out.
  const of = series.findIndex((_, n) => points.some(({ values }) => (values[n] ?? 0) > 0))
  const top = points.reduce((best, point) =>
    (point.values[of] ?? 0) > (best.values[of] ?? 0) ? point : best,
  )
  const most =
    of === -1
      ? ''
      : fill(words.chartMost, {
          series: series[of] ?? '',
          most: valueText(top.values[of] ?? 0),
          when: top.label,
        })
  if (whole === 'none') return most
  const last = points.at(-1) ?? top
  const values = series.map((_, n) => points.reduce((sum, one) => sum + (one.values[n] ?? 0), 0))
  const said = whole === 'last' ? last : { label: words.inAll, values }
  return `${textOf(said, series, valueText)}. ${most}`.trimEnd()
}
