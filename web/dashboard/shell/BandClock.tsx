import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { fill } from '../../shared/language.ts'
import { clockQuery, sandboxTime } from '../pages/sandbox/clock.tsx'
import { texts } from '../texts/texts.ts'

/** What time it is in the sandbox of the product that the page is about. */
export function BandClock() {
  const { account = '', product } = useParams({ strict: false })
  return product === undefined ? null : <Told path={`/developers/${account}/products/${product}`} />
}

/** As long as a time is, in whose room it comes. */
const ANY_TIME = '2026-12-31 10:00:00'

function Told({ path }: { readonly path: string }) {
  const { data } = useQuery(clockQuery(path))
  return (
    <span style={{ visibility: data ? 'visible' : 'hidden' }}>
      {fill(texts.clockAt, { time: sandboxTime(data?.now ?? ANY_TIME) })}
    </span>
  )
}
