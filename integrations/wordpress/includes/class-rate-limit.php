<?php
/**
 * Limits how many tokens a visitor gets.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/**
 * Counts requests in windows of one hour. The counters are transients, so that all servers of a site share them. Two requests at the
 * same moment may be counted as one.
 */
final class Rate_Limit {

	/** Start of the names of the transients. */
	const PREFIX = 'ubik_chat_rate_';

	/**
	 * Counts a request.
	 *
	 * @param string $key   Who sends it.
	 * @param int    $limit Requests in one hour.
	 * @return int 0 when it is allowed, else the seconds until the next one is.
	 */
	public static function count( $key, $limit ) {
		$name   = self::PREFIX . md5( $key );
		$now    = time();
		$window = get_transient( $name );
		if ( ! is_array( $window ) || ! isset( $window['count'], $window['end'] ) || $window['end'] <= $now ) {
			$window = array(
				'count' => 0,
				'end'   => $now + HOUR_IN_SECONDS,
			);
		}
		if ( $window['count'] >= $limit ) {
			return $window['end'] - $now;
		}
		++$window['count'];
		set_transient( $name, $window, $window['end'] - $now );
		return 0;
	}
}
