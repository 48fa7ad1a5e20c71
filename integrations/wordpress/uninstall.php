<?php
/**
 * Deletes everything that the plug-in has stored.
 *
 * @package UbikChat
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Deletes the options, transients and widgets of the current site. */
function ubik_chat_uninstall_site() {
	global $wpdb;
	delete_option( 'ubik_chat_settings' );
	delete_option( 'ubik_chat_api_key' );
	delete_option( 'ubik_chat_site_id' );
	delete_option( 'widget_ubik_chat' );
	$areas = get_option( 'sidebars_widgets', array() );
	foreach ( $areas as $area => $widgets ) {
		if ( is_array( $widgets ) ) {
			$areas[ $area ] = array_values(
				array_filter(
					$widgets,
					static function ( $widget ) {
						return ! preg_match( '/^ubik_chat-\d+$/', $widget );
					}
				)
			);
		}
	}
	update_option( 'sidebars_widgets', $areas );
	// The names of transients end in hashes. With an object cache they are not in the database, and expire within an hour.
	$names = $wpdb->get_col( // phpcs:ignore WordPress.DB.DirectDatabaseQuery -- There is no function that finds options by the start of their names.
		$wpdb->prepare(
			"SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s OR option_name LIKE %s",
			$wpdb->esc_like( '_transient_ubik_chat_' ) . '%',
			$wpdb->esc_like( '_transient_timeout_ubik_chat_' ) . '%'
		)
	);
	array_map( 'delete_option', $names );
}

if ( is_multisite() ) {
	$ubik_chat_sites = get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	);
	foreach ( $ubik_chat_sites as $ubik_chat_site ) {
		switch_to_blog( $ubik_chat_site );
		ubik_chat_uninstall_site();
		restore_current_blog();
	}
} else {
	ubik_chat_uninstall_site();
}
