<?php
/**
 * Who visits the page.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** The visitor as the service knows them: a signed-in user, or a guest with a cookie. */
final class Visitor {

	/** Name of the cookie of guests. */
	const COOKIE = 'ubik_chat_guest';

	/** Lifetime of the cookie in seconds. */
	const COOKIE_LIFETIME = 180 * DAY_IN_SECONDS;

	/**
	 * The id of the visitor at the service (`external_user_id`); null for a guest when guests may not chat, and for a guest without a
	 * cookie. Ids contain a random id of the site, so that they differ from those of other sites with the same API key.
	 *
	 * @return string|null
	 */
	public static function external_id() {
		$site = Settings::site_id();
		if ( is_user_logged_in() ) {
			return sprintf( 'wp-%s-%d', $site, get_current_user_id() );
		}
		$guest = self::guest();
		return Settings::get( 'guests' ) && null !== $guest ? sprintf( 'wp-%s-guest-%s', $site, $guest ) : null;
	}

	/**
	 * Gives a guest a random id, unless there is one or guests may not chat. Scripts cannot read the cookie, and other sites cannot use
	 * it. Call it before anything is sent.
	 */
	public static function ensure_guest_id() {
		if ( is_user_logged_in() || ! Settings::get( 'guests' ) || null !== self::guest() ) {
			return;
		}
		$id      = bin2hex( random_bytes( 16 ) );
		$options = array(
			'expires'  => time() + self::COOKIE_LIFETIME,
			// The path of the routes. That of the pages, `COOKIEPATH`, may be another one.
			'path'     => SITECOOKIEPATH ? SITECOOKIEPATH : '/',
			'domain'   => COOKIE_DOMAIN ? COOKIE_DOMAIN : '',
			'secure'   => is_ssl(),
			'httponly' => true,
			'samesite' => 'Lax',
		);
		setcookie( self::COOKIE, $id, $options );
		$_COOKIE[ self::COOKIE ] = $id;
	}

	/**
	 * The name under which requests of the visitor are counted: a guest could drop the cookie, therefore guests are counted by address. The
	 * addresses of one IPv6 network (its first 64 bits) count as one, because a guest may use all of them.
	 *
	 * @return string
	 */
	public static function rate_key() {
		if ( is_user_logged_in() ) {
			return 'user-' . get_current_user_id();
		}
		$address = isset( $_SERVER['REMOTE_ADDR'] ) ? sanitize_text_field( wp_unslash( $_SERVER['REMOTE_ADDR'] ) ) : '';
		/**
		 * Filters the address of a guest. Behind a proxy, `REMOTE_ADDR` is that of the proxy: return the one of a header that your proxy sets.
		 *
		 * @param string $address The address from `REMOTE_ADDR`.
		 */
		$address = (string) apply_filters( 'ubik_chat_guest_address', $address );
		$bytes   = filter_var( $address, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6 ) ? (string) inet_pton( $address ) : '';
		// An IPv4 address may be written as an IPv6 address.
		$is_ipv4 = 0 === strpos( $bytes, str_repeat( "\0", 10 ) . "\xff\xff" );
		return 'address-' . ( '' === $bytes || $is_ipv4 ? $address : bin2hex( substr( $bytes, 0, 8 ) ) );
	}

	/**
	 * The id in the cookie; null without a valid one.
	 *
	 * @return string|null
	 */
	private static function guest() {
		$id = isset( $_COOKIE[ self::COOKIE ] ) ? sanitize_text_field( wp_unslash( $_COOKIE[ self::COOKIE ] ) ) : '';
		return preg_match( '/^[0-9a-f]{32}$/', $id ) ? $id : null;
	}
}
