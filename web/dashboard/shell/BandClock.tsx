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

function Told({ path }: { readonly path: string }) {
  const { data } = useQuery(clockQuery(path))
  return data ? fill(texts.clockAt, { time: sandboxTime(data.now) }) : null
}
