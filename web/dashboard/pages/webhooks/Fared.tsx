import { useQuery } from '@tanstack/react-query'
import { fill } from '../../../shared/language.ts'
import type { WebhookFigures } from '../../../../src/events/listeners/figure-schema.ts'
import { Loading } from '../../../ui/parts.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { ask } from '../../../ui/server.ts'
import { numberText } from '../../format.tsx'
import { ApiCall, Failure } from '../../parts.tsx'
import { language, texts } from '../../texts/texts.ts'
import { figureTexts } from '../../texts/of-figures.ts'
import { Chart, summaryOf } from '../figures/Chart.tsx'
import { deliveryWords } from './delivery-words.ts'
import { words } from './words.ts'

type Day = WebhookFigures['figures'][number]

const dayText = (day: string) => DAY.format(new Date(`${day}T00:00:00Z`))
const DAY = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

const latencyText = (count: number | null) =>
  count === null ? texts.none : fill(texts.milliseconds, { count: numberText(count) })

const COLUMNS: readonly Column<Day & { readonly id: string }>[] = [
  { label: words.day, show: ({ day }) => dayText(day) },
  { label: deliveryWords.attempts, show: ({ attempts }) => numberText(attempts), isNumber: true },
  { label: words.taken, show: ({ succeeded }) => numberText(succeeded), isNumber: true },
  { label: words.failed, show: ({ failed }) => numberText(failed), isNumber: true },
  { label: words.half, show: ({ p50_ms: ms }) => latencyText(ms), isNumber: true },
  { label: words.most, show: ({ p95_ms: ms }) => latencyText(ms), isNumber: true },
]

/** How a listener did in the last 30 days: a chart, a sentence, and the table behind it. */
export function Fared({ own }: { readonly own: string }) {
  const path = `${own}/figures.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<WebhookFigures>(path),
  })
  return (
    <section className="panel card figure" aria-labelledby="fared">
      <h2 id="fared">{words.fared}</h2>
      <p className="muted">{words.faredAbout}</p>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data ? (
        <Drawn {...data} />
      ) : (
        <Loading lines={4} />
      )}
      <ApiCall path={path} />
    </section>
  )
}

function Drawn({ figures, total }: WebhookFigures) {
  const series = [words.taken, words.failed]
  const points = figures.map(({ day, succeeded, failed }) => ({
    label: dayText(day),
    values: [succeeded, failed],
  }))
  const said = { series, points, valueText: numberText }
  return (
    <>
      <p>{summaryOf({ ...said, whole: 'sum' })}</p>
      {total.p50_ms === null ? null : (
        <p>{fill(words.speed, { half: latencyText(total.p50_ms), most: latencyText(total.p95_ms) })}</p>
      )}
      <Chart title={words.fared} {...said} isInTime />
      <details className="api-call">
        <summary>{figureTexts.showTable}</summary>
        <Rows label={words.fared} columns={COLUMNS} rows={figures.map((one) => ({ ...one, id: one.day }))} />
      </details>
    </>
  )
}
