import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from './cuts.ts'
import { withoutPremiumCode } from './premium-code.ts'

const stripped = (text: string) => withoutPremiumCode(text).text

test('a block on a premium call is left out, what follows else stays', () => {
  const cases: [string, string][] = [
    ['<?php a(); if ( fs()->is__premium_only() ) { b(); { c(); } } d();', '<?php a();  d();'],
    ['<?php if ( my_fs()->is_plan__premium_only( "pro", true ) ) { b(); } else { c(); }', '<?php { c(); }'],
    [
      '<?php if (x__premium_only()) { b(); } elseif (y()) { c(); } else { d(); }',
      '<?php if (y()) { c(); } else { d(); }',
    ],
    ['<?php if (x__premium_only()) { b(); } else if (y()) { c(); }', '<?php if (y()) { c(); }'],
    [
      '<?php if (y()) { c(); } else if (x__premium_only()) { b(); } else { d(); }',
      '<?php if (y()) { c(); }  else { d(); }',
    ],
    ['<p><?php if (fs()->is__premium_only()) { ?><b>}</b><?php } ?></p>', '<p><?php  ?></p>'],
    ['<?php if (fs()->is__premium_only()): if (a): b(); endif; c(); endif; d();', '<?php  d();'],
    [
      '<?php class A { public function f__premium_only($x = array()) { return 1; } function g() {} }',
      '<?php class A {  function g() {} }',
    ],
  ]
  for (const [before, after] of cases) assert.equal(stripped(before), after)
})

test('a call in a text, a comment or HTML is no premium code, and braces there close nothing', () => {
  for (const same of [
    '<?php // if (is__premium_only()) { a(); }\n b();',
    '<?php $a = "if (is__premium_only()) { a(); }"; $b = \'if (is__premium_only()) {}\';',
    '<?php $a = <<<EOT\nif (is__premium_only()) {\n EOT;\n b();',
    'if (is__premium_only()) { a(); }<?php b();',
    '<?php if ( ! fs()->is__premium_only() ) { a(); }',
    '<?php if ( fs()->is__premium_only() || b() ) { a(); }',
  ]) {
    assert.equal(stripped(same), same)
  }
  const text = '<?php if (f__premium_only()) { a("}"); /* } */ // }\n $x = \'}\'; } b();'
  assert.equal(stripped(text), '<?php  b();')
})

test('code whose end cannot be found is refused rather than shipped', () => {
  assert.throws(() => stripped('<?php if (f__premium_only()) { a();'), /end cannot be found/)
  assert.throws(() => stripped('<?php if (f__premium_only()) a();'), /without braces/)
})

test('of several conditions in a row each is looked at', () => {
  const cases: [string, string][] = [
    ['<?php if (a__premium_only()) { A(); } elseif (b__premium_only()) { B(); } c();', '<?php  c();'],
    [
      '<?php if (a__premium_only()) { A(); } else if (b__premium_only()) { B(); } else { c(); }',
      '<?php { c(); }',
    ],
    [
      '<?php if (a__premium_only()) { A(); } elseif (b__premium_only()) { B(); } elseif (c()) { C(); }',
      '<?php if (c()) { C(); }',
    ],
    [
      '<?php if (y()) { c(); } elseif (a__premium_only()) { A(); } elseif (b__premium_only()) { B(); }',
      '<?php if (y()) { c(); }  ',
    ],
    [
      '<?php IF (a__premium_only()) { A(); } ELSEIF (b__premium_only()) { B(); } ELSE { c(); }',
      '<?php { c(); }',
    ],
  ]
  for (const [before, after] of cases) assert.equal(stripped(before).trimEnd(), after.trimEnd(), before)
})

test('a condition is premium where it cannot hold without the call: what "!", "?" and "||" belong to counts', () => {
  for (const condition of [
    'fs()->is__premium_only() && ! is_admin()',
    '! is_admin() && fs()->is__premium_only()',
    'fs()?->is__premium_only()',
    'a() and ( b() || c() ) and fs()->is__premium_only()',
    '( fs()->is__premium_only() && ($a ? b() : c()) )',
    'a__premium_only() || b__premium_only()',
    'fs()->is__premium_only() === true',
    'false !== fs()->is__premium_only()',
    '$or && fs()->is__premium_only( $b ?? 1 )',
  ])
    assert.equal(stripped(`<?php if ( ${condition} ) { pro(); }`), '<?php ', condition)
  for (const condition of [
    '! fs()->is__premium_only()',
    '! ( a() && fs()->is__premium_only() )',
    'a() && ! fs()->is__premium_only()',
    'a() || fs()->is__premium_only()',
    'a() or fs()->is__premium_only() && b()',
    'fs()->is__premium_only() ? a() : b()',
    'fs()->is__premium_only() === false',
    'true !== fs()->is__premium_only()',
  ]) {
    const text = `<?php\nif ( ${condition} ) { all(); }`
    const { text: left, cuts } = withoutPremiumCode(text)
    assert.deepEqual([left, partsOf(text, cuts)], [text, [{ part: 'kept', line: 2 }]], condition)
  }
})

test('a call that is no condition is kept and told, in order with what is left out', () => {
  const text =
    '<?php\n$a = fs()->is__premium_only() ? 1 : 2;\nif (x__premium_only()) { y__premium_only(); }\nreturn z__premium_only();'
  assert.deepEqual(partsOf(text, withoutPremiumCode(text).cuts), [
    { part: 'kept', line: 2 },
    { part: 'block', line: 3 },
    { part: 'kept', line: 4 },
  ])
})

test('a function without a body ends at its semicolon, one with modifiers begins with them', () => {
  assert.equal(
    stripped('<?php abstract class A { abstract function x__premium_only(); function y() { z(); } }'),
    '<?php abstract class A {  function y() { z(); } }',
  )
  assert.equal(
    stripped('<?php class A { final public  static function &x__premium_only(): array { return []; } }'),
    '<?php class A {  }',
  )
})
