import { fill } from '../shared/language.ts'
import { useAway } from './away.ts'
import { texts } from './texts.ts'
import { UndoBar } from './UndoBar.tsx'

/** What every page may be told at any time, over whatever it shows: that the server is away, and what can be undone. */
export function Told() {
  const away = useAway()
  return (
    <div className="told">
      <p role="status" className={away ? 'panel away' : 'unseen'}>
        {away === null
          ? ''
          : away.why === 'away'
            ? texts.awayMore
            : fill(texts.busy, { count: away.seconds })}
      </p>
      <UndoBar />
    </div>
  )
}
