import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { License as Shown } from '../../../src/licensing/licenses/schema.ts'
import { Said } from '../../ui/doing.tsx'
import { Facts } from '../../ui/parts.tsx'
import { EndText, Key, LicenseState, Time, usedText } from '../format.tsx'
import { Head } from '../Head.tsx'
import { One } from '../One.tsx'
import { useHere } from '../place.ts'
import { usePlans } from '../plans.ts'
import { texts } from '../texts/texts.ts'
import { ChangePlan } from './license/ChangePlan.tsx'
import { Downloads } from './license/Downloads.tsx'
import { ReplaceKey } from './license/ReplaceKey.tsx'
import { SiteLists } from './license/SiteLists.tsx'
import { Sites } from './license/Sites.tsx'

/** One license: its key, where it is active and may be, what it opens, and what its owner does with it. */
export function License() {
  const { path } = useHere()
  const { id = '' } = useParams({ strict: false })
  const own = `${path}/licenses/${id}`
  return (
    <One<Shown> title={texts.license} path={own}>
      {(license) => <Known license={license} own={own} />}
    </One>
  )
}

const keyOf = ({ secret_key: key }: Shown) => ({
  label: texts.key,
  value: key ? <Key text={key} /> : null,
})

function Known({ license, own }: { readonly license: Shown; readonly own: string }) {
  const { isOff } = useHere()
  const planOf = usePlans()
  const [isReplacing, setReplacing] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const [said, say] = useState('')
  return (
    <>
      <Head
        title={`${texts.license} #${license.id}`}
        state={<LicenseState {...license} />}
        actions={
          license.is_cancelled ? null : (
            <>
              {isOff('plan_change') ? null : (
                <Button variant="default" onClick={() => setChanging(true)}>
                  {texts.change}
                </Button>
              )}
              {isOff('rotate_key') ? null : (
                <Button variant="default" onClick={() => setReplacing(true)}>
                  {texts.replaceKey}
                </Button>
              )}
            </>
          )
        }
      />
      <Said text={said} />
      <div className="two">
        <Facts
          facts={[
            { label: texts.plan, value: planOf(license) },
            ...(isOff('keys') ? [] : [keyOf(license)]),
            { label: texts.activations, value: usedText(license) },
            { label: texts.ends, value: <EndText {...license} /> },
            { label: texts.created, value: <Time time={license.created} /> },
          ]}
        />
        <div className="stack wide">
          <Sites license={license} say={say} />
          {isOff('downloads') ? null : <Downloads license={license} />}
          {isOff('allow_list') ? null : <SiteLists own={own} />}
        </div>
      </div>
      {isChanging ? <ChangePlan license={license} own={own} close={() => setChanging(false)} /> : null}
      {isReplacing ? (
        <ReplaceKey
          own={own}
          close={() => setReplacing(false)}
          done={() => {
            setReplacing(false)
            say(texts.keyReplaced)
          }}
        />
      ) : null}
    </>
  )
}
