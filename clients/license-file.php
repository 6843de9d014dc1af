<?php
/**
 * Verifies license files of Keywright without a network, in 64-bit PHP 7.2 and later. `docs/license-files.md`
 * explains format and rules. The signature is checked by sodium, which comes with PHP (and with WordPress, whatever
 * PHP it runs on); where that is switched off, by the arithmetic of RFC 8032 below.
 *
 *   require 'license-file.php';
 *   $result = KeywrightLicenseFile::verify($text, ['publicKeys' => $keys, 'productId' => '7', 'uid' => $uid]);
 */
final class KeywrightLicenseFile
{
    const DOMAIN = 'keywright-license-file/1';
    const ALGORITHM = 'Ed25519';
    /** Seconds that a clock may be behind: behind the server's, or behind what it showed before. */
    const SKEW = 300;
    const MAX_LENGTH = 262144;

    const ARMOR = '~\A[ \t\r\n]*-----BEGIN LICENSE FILE-----[\r\n]([A-Za-z0-9+/=\r\n]+)-----END LICENSE FILE-----[ \t\r\n]*\z~';
    /** The one way in which the envelope is written: nothing that is not signed yet is read as JSON. */
    const ENVELOPE = '~\A\{"alg":"([ !#-\[\]-\x7e]*)","kid":"([0-9a-f]{16})","payload":"([A-Za-z0-9_-]+)","sig":"([A-Za-z0-9_-]+)"\}\z~';

    /**
     * Says whether a license file is good here and now.
     *
     * @param string $fileText the file as it was received
     * @param array $given publicKeys: the `keys` of license_keys.json, as arrays; productId; uid: what this install
     *   calls itself, a file that is bound to one is bad without; now: Unix seconds, default this machine's clock;
     *   lastSeen: the latest `now` of an earlier call, if any
     * @return array `valid` and `code`, and everything the file says when it is valid. Codes: valid, malformed,
     *   unknown_algorithm, unknown_key, invalid_signature, wrong_product, wrong_machine, clock_rolled_back, expired
     */
    public static function verify($fileText, array $given)
    {
        $envelope = self::read($fileText);
        if ($envelope === null) return self::bad('malformed');
        list($alg, $kid, $payload, $sig) = $envelope;
        if ($alg !== self::ALGORITHM) return self::bad('unknown_algorithm');
        $key = self::keyOf($given['publicKeys'], $kid);
        if ($key === null) return self::bad('unknown_key');
        $message = implode("\n", [self::DOMAIN, $alg, $kid, $payload]);
        if (!self::isSigned($sig, $message, $key)) return self::bad('invalid_signature');

        $file = json_decode(self::bytesOf($payload), true);
        $code = self::judge($file, $given + ['uid' => null, 'now' => time(), 'lastSeen' => null]);
        return $code === 'valid' ? ['valid' => true, 'code' => $code] + $file : self::bad($code);
    }

    /** Whether what a file says holds here and now; times are asked so that one that is no number holds nothing. */
    private static function judge(array $file, array $given)
    {
        $now = $given['now'];
        $lastSeen = $given['lastSeen'];
        if ($file['product']['id'] !== (string) $given['productId']) return 'wrong_product';
        if ($file['uid'] !== null && $file['uid'] !== $given['uid']) return 'wrong_machine';
        $isForward = $now >= $file['issued'] - self::SKEW && ($lastSeen === null || $now >= $lastSeen - self::SKEW);
        if (!$isForward) return 'clock_rolled_back';
        return $now < $file['expires'] ? 'valid' : 'expired';
    }

    private static function bad($code)
    {
        return ['valid' => false, 'code' => $code];
    }

    /** The four parts of a file; null when it is not written as one. */
    private static function read($fileText)
    {
        if (!is_string($fileText) || strlen($fileText) > self::MAX_LENGTH) return null;
        if (!preg_match(self::ARMOR, $fileText, $armor)) return null;
        $json = self::decoded(str_replace(["\r", "\n"], '', $armor[1]));
        if ($json === null || !preg_match(self::ENVELOPE, $json, $found)) return null;
        $sig = self::bytesOf($found[4]);
        if ($sig === null || strlen($sig) !== 64 || self::bytesOf($found[3]) === null) return null;
        return [$found[1], $found[2], $found[3], $sig];
    }

    private static function keyOf(array $publicKeys, $kid)
    {
        foreach ($publicKeys as $one) {
            if ($one['kid'] !== $kid || $one['alg'] !== self::ALGORITHM) continue;
            $key = self::bytesOf($one['public_key']);
            return $key !== null && strlen($key) === 32 ? $key : null;
        }
        return null;
    }

    /** Base64 to bytes; null when it is not base64, or the same bytes are written in another way. */
    private static function decoded($text)
    {
        $bytes = base64_decode($text, true);
        return $bytes !== false && base64_encode($bytes) === $text ? $bytes : null;
    }

    /** Base64url to bytes; null likewise. */
    private static function bytesOf($text)
    {
        $plain = strtr((string) $text, '-_', '+/');
        return self::decoded($plain . str_repeat('=', (4 - strlen($plain) % 4) % 4));
    }

    private static function isSigned($signature, $message, $key)
    {
        if (function_exists('sodium_crypto_sign_verify_detached')) {
            return sodium_crypto_sign_verify_detached($signature, $message, $key);
        }
        return self::isSignedByArithmetic($signature, $message, $key);
    }

    // Ed25519 of RFC 8032, section 5.1. Numbers below 2^255 - 19 are 15 limbs of 17 bits, lowest first; points are
    // [X, Y, Z, T] with x = X/Z, y = Y/Z, x * y = T/Z. It checks public values only, so its time may depend on them.

    const L = '1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed';
    const D = 'a3785913ca4deb75abd841414d0a700098e879777940c78c73fe6f2bee6c0352';
    const ROOT_OF_MINUS_1 = 'b0a00e4a271beec478e42fad0618432fa7d7fb3d99004d2b0bdfc14f8024832b';
    const BASE = '5866666666666666666666666666666666666666666666666666666666666666';
    const ONES = 250;

    private static function isSignedByArithmetic($signature, $message, $key)
    {
        $r = substr($signature, 0, 32);
        $s = strrev(substr($signature, 32));
        $a = self::point($key);
        if ($a === null || strcmp($s, hex2bin(self::L)) >= 0) return false;
        $zero = self::number(str_repeat("\0", 32));
        $minusA = [self::less($zero, $a[0]), $a[1], $a[2], self::less($zero, $a[3])];
        $k = strrev(hash('sha512', $r . $key . $message, true));
        return hash_equals($r, self::encoded(self::sum($s, self::point(hex2bin(self::BASE)), self::remainder($k), $minusA)));
    }

    /** The point that 32 bytes stand for; null when they stand for none. */
    private static function point($bytes)
    {
        $y = self::number($bytes);
        $sign = ord($bytes[31]) >> 7;
        if (self::written($y) !== (substr($bytes, 0, 31) . chr(ord($bytes[31]) & 127))) return null;
        $one = self::number("\1" . str_repeat("\0", 31));
        $yy = self::product($y, $y);
        $u = self::less($yy, $one);
        $v = self::plus(self::product(self::number(hex2bin(self::D)), $yy), $one);
        $v3 = self::product($v, self::product($v, $v));
        $root = self::power(self::product($u, self::product($v, self::product($v3, $v3))), '01');
        $x = self::product(self::product($u, $v3), $root);
        $isRoot = function ($x) use ($u, $v) {
            return self::written(self::product($v, self::product($x, $x))) === self::written($u);
        };
        if (!$isRoot($x)) $x = self::product($x, self::number(hex2bin(self::ROOT_OF_MINUS_1)));
        $text = self::written($x);
        if (!$isRoot($x) || ($sign === 1 && $text === str_repeat("\0", 32))) return null;
        if ((ord($text[0]) & 1) !== $sign) $x = self::less(self::number(str_repeat("\0", 32)), $x);
        return [$x, $y, $one, self::product($x, $y)];
    }

    private static function encoded(array $point)
    {
        $inverse = self::power($point[2], '01011');
        $x = self::written(self::product($point[0], $inverse));
        $y = self::written(self::product($point[1], $inverse));
        $y[31] = chr(ord($y[31]) | (ord($x[0]) & 1) << 7);
        return $y;
    }

    /** $p times one point and $q times another; factors are 32 bytes, highest first. */
    private static function sum($p, array $pointP, $q, array $pointQ)
    {
        $one = self::number("\1" . str_repeat("\0", 31));
        $zero = self::less($one, $one);
        $steps = [null, $pointP, $pointQ, self::added($pointP, $pointQ)];
        $result = [$zero, $one, $one, $zero];
        for ($i = 0; $i < 256; $i++) {
            $result = self::added($result, $result);
            $step = (ord($p[$i >> 3]) >> (7 - $i % 8) & 1) + 2 * (ord($q[$i >> 3]) >> (7 - $i % 8) & 1);
            if ($step > 0) $result = self::added($result, $steps[$step]);
        }
        return $result;
    }

    /** What is left of a number after division by L; bytes, highest first. */
    private static function remainder($number)
    {
        $order = array_values(unpack('C*', hex2bin(self::L)));
        $left = array_fill(0, 32, 0);
        for ($i = 0; $i < 8 * strlen($number); $i++) {
            $carry = ord($number[$i >> 3]) >> (7 - $i % 8) & 1;
            for ($j = 31; $j >= 0; $j--) {
                $carry += 2 * $left[$j];
                $left[$j] = $carry & 255;
                $carry >>= 8;
            }
            if ($left < $order) continue;
            for ($j = 31; $j >= 0; $j--) {
                $carry += $left[$j] - $order[$j];
                $left[$j] = $carry & 255;
                $carry >>= 8;
            }
        }
        return pack('C*', ...$left);
    }

    private static function added(array $p, array $q)
    {
        static $d = null;
        if ($d === null) $d = self::number(hex2bin(self::D));
        $a = self::product(self::less($p[1], $p[0]), self::less($q[1], $q[0]));
        $b = self::product(self::plus($p[1], $p[0]), self::plus($q[1], $q[0]));
        $c = self::product(self::product($p[3], $q[3]), self::plus($d, $d));
        $z = self::product($p[2], $q[2]);
        $z = self::plus($z, $z);
        $e = self::less($b, $a);
        $f = self::less($z, $c);
        $g = self::plus($z, $c);
        $h = self::plus($b, $a);
        return [self::product($e, $f), self::product($g, $h), self::product($f, $g), self::product($e, $h)];
    }

    /** To the power of a number whose bits are 250 ones and then these. */
    private static function power(array $number, $bits)
    {
        $result = $number;
        foreach (str_split(str_repeat('1', self::ONES - 1) . $bits) as $bit) {
            $result = self::product($result, $result);
            if ($bit === '1') $result = self::product($result, $number);
        }
        return $result;
    }

    private static function product(array $a, array $b)
    {
        $sums = array_fill(0, 30, 0);
        foreach ($a as $i => $limb) {
            foreach ($b as $j => $other) $sums[$i + $j] += $limb * $other;
        }
        for ($i = 0; $i < 15; $i++) $sums[$i] += 19 * $sums[$i + 15];
        return self::carried(array_slice($sums, 0, 15));
    }

    private static function plus(array $a, array $b)
    {
        for ($i = 0; $i < 15; $i++) $a[$i] += $b[$i];
        return self::carried($a);
    }

    private static function less(array $a, array $b)
    {
        for ($i = 0; $i < 15; $i++) $a[$i] -= $b[$i];
        return self::carried($a);
    }

    /** Limbs of 17 bits again, but for a few too many in the lowest; 2^255 is 19. */
    private static function carried(array $limbs)
    {
        for ($round = 0; $round < 2; $round++) {
            for ($i = 0; $i < 15; $i++) {
                $carry = $limbs[$i] >> 17;
                $limbs[$i] -= $carry << 17;
                if ($i < 14) $limbs[$i + 1] += $carry;
                else $limbs[0] += 19 * $carry;
            }
        }
        return $limbs;
    }

    /** 32 bytes, lowest first, without the highest bit → limbs. */
    private static function number($bytes)
    {
        $limbs = array_fill(0, 15, 0);
        for ($bit = 0; $bit < 255; $bit++) {
            $limbs[intdiv($bit, 17)] |= (ord($bytes[$bit >> 3]) >> ($bit & 7) & 1) << ($bit % 17);
        }
        return $limbs;
    }

    /** Limbs → the 32 bytes of the only number below 2^255 - 19 that they stand for. */
    private static function written(array $limbs)
    {
        for ($round = 0; $round < 3; $round++) $limbs = self::carried($limbs);
        // Adding 19 tells whether it is 2^255 - 19 or more: then it carries out of the highest limb.
        $over = 19;
        foreach ($limbs as $limb) $over = ($limb + $over) >> 17;
        $limbs[0] += 19 * $over;
        $bytes = array_fill(0, 32, 0);
        $carry = 0;
        foreach ($limbs as $i => $limb) {
            $sum = $limb + $carry;
            $carry = $sum >> 17;
            for ($bit = 0; $bit < 17; $bit++) {
                $at = 17 * $i + $bit;
                $bytes[$at >> 3] |= ($sum >> $bit & 1) << ($at & 7);
            }
        }
        return pack('C*', ...$bytes);
    }
}
