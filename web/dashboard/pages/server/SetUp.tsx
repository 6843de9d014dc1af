import type { ServerState } from '../../../../src/health/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Copy, numberText, State, Time } from '../../format.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { serverTexts as words } from '../../texts/of-server.ts'

/** More than this a check calls apart. */
const SMALL_SKEW_MS = 2_000

/** With what the server was started. */
export function SetUp({ server }: { readonly server: ServerState }) {
  const { mail, storage } = server
  return (
    <Facts
      title={words.setUp}
      facts={[
        { label: words.version, value: server.version },
        { label: words.baseAddress, value: <Copy text={server.base_address} /> },
        { label: words.database, value: words.databases[server.database] },
        { label: words.clock, value: <Skew ms={server.clock_skew_ms} /> },
        { label: words.started, value: <Time time={server.started} /> },
        {
          label: words.mail,
          value: <Place kind={mail.kind === 'smtp' ? words.mailSmtp : words.mailFolder} place={mail.place} />,
        },
        { label: words.mailFrom, value: mail.from },
        {
          label: words.storage,
          value: (
            <Place
              kind={storage.kind === 's3' ? words.storageS3 : words.storageFolder}
              place={storage.place}
            />
          ),
        },
      ]}
    />
  )
}

function Skew({ ms }: { readonly ms: number | null }) {
  if (ms === null) return words.clockSame
  const text = fill(words.clockSkew, { ms: numberText(ms) })
  return Math.abs(ms) > SMALL_SKEW_MS ? <State word={text} tone="bad" /> : text
}

const Place = ({ kind, place }: { readonly kind: string; readonly place: string | null }) => (
  <>
    {kind}
    {place === null ? null : (
      <>
        <br />
        <code>{place}</code>
      </>
    )}
  </>
)
