<?php
/**
 * Limits how many tokens a visitor gets.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** Counts requests in each hour. All servers of a site share the counters: in the object cache if there is one, else as transients. */
final class Rate_Limit {

	/** Start of the names of the counters. */
	const PREFIX = 'ubik_chat_rate_';

	/**
	 * Counts a request.
	 *
	 * @param string $key   Who sends it.
	 * @param int    $limit Requests in one hour.
	 * @return int 0 when it is allowed, else the seconds until the next one is.
	 */
	public static function count( $key, $limit ) {
		$now  = time();
		$left = HOUR_IN_SECONDS - $now % HOUR_IN_SECONDS;
		$name = self::PREFIX . md5( $key . '|' . intdiv( $now, HOUR_IN_SECONDS ) );
		return self::increment( $name, $left ) > $limit ? $left : 0;
	}

	/**
	 * Increments a counter, which begins at 0, and returns its value. Simultaneous requests are all counted, because the cache or the
	 * database adds.
	 *
	 * @param string $name     Name of the counter.
	 * @param int    $lifetime Seconds after which it is deleted.
	 * @return int
	 */
	private static function increment( $name, $lifetime ) {
		if ( wp_using_ext_object_cache() ) {
			wp_cache_add( $name, 0, 'ubik-chat', $lifetime );
			return (int) wp_cache_incr( $name, 1, 'ubik-chat' );
		}
		global $wpdb;
		$option = '_transient_' . $name;
		// WordPress deletes transients whose time is over.
		add_option( '_transient_timeout_' . $name, time() + $lifetime, '', false );
		// phpcs:disable WordPress.DB.DirectDatabaseQuery -- `set_transient` would write a value that was read before another request has counted.
		$wpdb->query(
			$wpdb->prepare(
				"INSERT INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, '1', 'no') ON DUPLICATE KEY UPDATE option_value = option_value + 1",
				$option
			)
		);
		return (int) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", $option ) );
		// phpcs:enable
	}
}
