import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SeenSession } from '../../../../src/accounts/developers/schema.ts'
import { Refusal, Said, useDoing } from '../../../ui/doing.tsx'
import { State, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'
import { browserOf } from './browser.ts'

const COLUMNS: readonly Column<SeenSession>[] = [
  { label: texts.browser, show: ({ agent }) => browserOf(agent) },
  { label: texts.address, show: ({ ip }) => ip ?? texts.none },
  {
    label: texts.lastUsed,
    show: ({ last_used_at: used, created, is_current: isCurrent }) =>
      isCurrent ? <State word={texts.thisOne} tone="good" /> : <Time time={used ?? created} />,
  },
  { label: texts.ends, show: ({ expires_at: end }) => <Time time={end} /> },
]

/** Where one is logged in, with the way to end that. */
export function Sessions() {
  const [said, setSaid] = useState('')
  const doing = useDoing(() => setSaid(texts.sessionEnded))
  return (
    <div className="stack">
      <Refusal problem={doing.problem} />
      <Said text={doing.problem ? '' : said} />
      <Part<SeenSession>
        title={texts.sessions}
        path="/sessions.json"
        items="sessions"
        columns={COLUMNS}
        empty={texts.noSessions}
        actions={({ id, agent, is_current: isCurrent }) =>
          isCurrent ? null : (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`${texts.endSession}: ${browserOf(agent)}`}
              onClick={() => doing.send({ method: 'DELETE', path: `/sessions/${id}.json` })}
            >
              {texts.endSession}
            </Button>
          )
        }
      />
    </div>
  )
}
